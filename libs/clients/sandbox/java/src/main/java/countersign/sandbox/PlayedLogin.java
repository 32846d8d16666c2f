package countersign.sandbox;

import java.util.Map;
import java.util.Optional;

/**
 * What a phone did with a login or a signature on the hosted page.
 *
 * @param status the status in the last answer to the phone: {@code CONFIRMED} or {@code COMPLETED}, or {@code CANCELLED}
 * @param scanned the request as the phone showed it
 * @param redirect where the page sends the browser: the client's callback with its query; empty when it ended without, as for {@code decline}
 */
public record PlayedLogin(String status, Map<String, Object> scanned, Optional<String> redirect) {}
