package countersign.sandbox;

import java.util.Map;
import java.util.Optional;

/**
 * A webhook as it was sent, or would have been sent to an endpoint for all events.
 *
 * @param number counts up over the webhooks of all clients
 * @param url of the endpoint; empty where the client has none
 * @param headers with lower-case names: send these and the body to your application, to test its receiver
 * @param body to the letter, as its signature covers it
 * @param type such as {@code session.completed}
 * @param data what it tells: {@code sessionId}, {@code status}, …
 */
public record RecordedWebhook(
    long number, Optional<String> url, Map<String, String> headers, String body, String type, Map<String, Object> data) {}
