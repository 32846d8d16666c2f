package countersign.sandbox;

import java.util.Map;

/**
 * What a phone did with a session.
 *
 * @param status the status in the last answer to the phone: {@code CONFIRMED} or {@code COMPLETED}, or {@code CANCELLED}
 * @param scanned the request as the phone showed it
 */
public record Scanned(String status, Map<String, Object> scanned) {}
