package countersign.sandbox;

import java.util.Map;

/**
 * A person with a phone.
 *
 * @param identity the person's data, as docs/specification/sandbox.md names them: {@code givenName}, {@code familyName}, {@code personalCode}, …
 */
public record SandboxPhone(String phoneId, String persona, Map<String, Object> identity) {}
