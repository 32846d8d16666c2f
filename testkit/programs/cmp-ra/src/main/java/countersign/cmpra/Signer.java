package countersign.cmpra;

import com.siemens.pki.cmpracomponent.configuration.SignatureCredentialContext;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** A key with its chain, the certificate of the key first. */
record Signer(PrivateKey key, List<X509Certificate> chain) implements SignatureCredentialContext {

    /** The only key of a PKCS#12 file. */
    static Signer of(String path, String password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            store.load(in, password.toCharArray());
        }
        String alias = store.aliases().nextElement();
        List<X509Certificate> chain = new ArrayList<>();
        for (Certificate certificate : store.getCertificateChain(alias)) chain.add((X509Certificate) certificate);
        return new Signer((PrivateKey) store.getKey(alias, password.toCharArray()), chain);
    }

    @Override
    public List<X509Certificate> getCertificateChain() {
        return chain;
    }

    @Override
    public PrivateKey getPrivateKey() {
        return key;
    }
}
