package countersign.cmpra;

import com.siemens.pki.cmpracomponent.configuration.VerificationContext;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** Takes what leads to one of these roots. */
record Trust(Collection<X509Certificate> roots) implements VerificationContext {

    /** The certificates of a PEM file. */
    static Trust in(String path) throws CertificateException, IOException {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            return new Trust(List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in).stream().map(X509Certificate.class::cast).toList()));
        }
    }

    @Override
    public Collection<X509Certificate> getTrustedCertificates() {
        return roots;
    }
}
