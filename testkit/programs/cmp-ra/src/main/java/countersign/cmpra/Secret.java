package countersign.cmpra;

import com.siemens.pki.cmpracomponent.configuration.SharedSecretCredentialContext;
import com.siemens.pki.cmpracomponent.configuration.VerificationContext;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A secret that both sides know under a name, for PasswordBasedMac (RFC 9481 §6.1.1). */
record Secret(String reference, String secret) implements SharedSecretCredentialContext {

    /** Takes messages under the same secret and name. */
    VerificationContext verification() {
        return new VerificationContext() {
            @Override
            public byte[] getSharedSecret(byte[] senderKid) {
                return Arrays.equals(senderKid, getSenderKID()) ? Secret.this.getSharedSecret() : null;
            }
        };
    }

    @Override
    public String getPasswordBasedMacAlgorithm() {
        return "PASSWORDBASEDMAC";
    }

    @Override
    public String getMacAlgorithm() {
        return "SHA256";
    }

    @Override
    public byte[] getSenderKID() {
        return reference.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] getSharedSecret() {
        return secret.getBytes(StandardCharsets.UTF_8);
    }
}
