package countersign.cmpra;

import com.siemens.pki.cmpracomponent.configuration.CkgContext;
import com.siemens.pki.cmpracomponent.configuration.CmpMessageInterface;
import com.siemens.pki.cmpracomponent.configuration.Configuration;
import com.siemens.pki.cmpracomponent.configuration.CredentialContext;
import com.siemens.pki.cmpracomponent.configuration.InventoryInterface;
import com.siemens.pki.cmpracomponent.configuration.NestedEndpointContext;
import com.siemens.pki.cmpracomponent.configuration.SupportMessageHandlerInterface;
import com.siemens.pki.cmpracomponent.configuration.VerificationContext;
import com.siemens.pki.cmpracomponent.main.CmpRaComponent;
import com.siemens.pki.cmpracomponent.main.CmpRaComponent.CmpRaInterface;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/**
 * The CMP RA component of Siemens behind HTTP: it checks each message by RFC 9483, and passes it on to a certificate authority by CMP.
 *
 * <p>Downstream, towards its clients, it has one of two protections: a shared secret, or signatures. Upstream it shares a secret with the authority.
 * Prints its address when it listens, and a line with the certificate profile for each message that it passes on.
 */
public final class CmpRa {

    private static final String USAGE = "usage: CmpRa PROPERTIES\n"
            + "  upstream.url, upstream.reference, upstream.secret, enrolment.trust (PEM file)\n"
            + "  downstream.reference and downstream.secret, or downstream.keyStore (PKCS#12), downstream.password and downstream.clients (PEM file)\n"
            + "  delay=true: the first answer is that the request waits; it is decided when the client polls";

    private static final int SECONDS_TO_WAIT = 1;

    /** Answers of the authority that the component gets once it has told the client to ask again. */
    private static final Queue<byte[]> LATE_ANSWERS = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) throws Exception {
        if (args.length != 1) throw new IllegalArgumentException(USAGE);
        Properties settings = new Properties();
        try (Reader in = Files.newBufferedReader(Path.of(args[0]))) {
            settings.load(in);
        }
        serve(start(settings));
    }

    private static CmpRaInterface start(Properties settings) throws Exception {
        Secret upstream = new Secret(settings.getProperty("upstream.reference"), settings.getProperty("upstream.secret"));
        String secret = settings.getProperty("downstream.secret");
        CmpMessageInterface clients;
        if (secret != null) {
            Secret shared = new Secret(settings.getProperty("downstream.reference"), secret);
            clients = new Endpoint(shared, shared.verification());
        } else {
            String keyStore = settings.getProperty("downstream.keyStore");
            clients = new Endpoint(Signer.of(keyStore, settings.getProperty("downstream.password")), Trust.in(settings.getProperty("downstream.clients")));
        }
        Configuration configuration = new Settings(clients, new Endpoint(upstream, upstream.verification()), Trust.in(settings.getProperty("enrolment.trust")));
        URI authority = URI.create(settings.getProperty("upstream.url"));
        if (!Boolean.parseBoolean(settings.getProperty("delay"))) {
            return CmpRaComponent.instantiateCmpRaComponent(configuration, (request, profile, type) -> passOn(authority, request, profile));
        }
        return CmpRaComponent.instantiateCmpRaComponent(configuration, (request, profile, type) -> {
            LATE_ANSWERS.add(passOn(authority, request, profile));
            return null;
        });
    }

    private static byte[] passOn(URI authority, byte[] request, String profile) throws IOException, InterruptedException {
        System.out.println("passed on, profile " + profile);
        HttpRequest call = HttpRequest.newBuilder(authority).version(HttpClient.Version.HTTP_1_1)
                .header("content-type", "application/pkixcmp").POST(HttpRequest.BodyPublishers.ofByteArray(request)).build();
        return HttpClient.newHttpClient().send(call, HttpResponse.BodyHandlers.ofByteArray()).body();
    }

    private static void serve(CmpRaInterface component) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> answer(component, exchange));
        server.start();
        System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private static void answer(CmpRaInterface component, HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] late = LATE_ANSWERS.poll();
            byte[] answer = component.processRequest(exchange.getRequestBody().readAllBytes());
            if (late != null) component.gotResponseAtUpstream(late);
            exchange.getResponseHeaders().set("content-type", "application/pkixcmp");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (Exception e) {
            System.err.println("request: " + e);
            exchange.sendResponseHeaders(400, -1);
        }
    }

    /** The protection of one side: how its messages are verified, and what ours are protected with. */
    private record Endpoint(CredentialContext credentials, VerificationContext verification) implements CmpMessageInterface {
        @Override
        public VerificationContext getInputVerification() {
            return verification;
        }

        @Override
        public CredentialContext getOutputCredentials() {
            return credentials;
        }

        @Override
        public NestedEndpointContext getNestedEndpointContext() {
            return null;
        }

        @Override
        public ReprotectMode getReprotectMode() {
            return ReprotectMode.reprotect;
        }

        @Override
        public boolean getSuppressRedundantExtraCerts() {
            return false;
        }

        @Override
        public boolean isCacheExtraCerts() {
            return false;
        }

        /** Seconds, of RFC 9483 §3.5. */
        @Override
        public boolean isMessageTimeDeviationAllowed(long deviation) {
            return Math.abs(deviation) <= 60;
        }
    }

    /** The same for every profile and message. Clients are registration authorities themselves, so their raVerified is taken and passed on. */
    private record Settings(CmpMessageInterface downstream, CmpMessageInterface upstream, VerificationContext enrolment) implements Configuration {
        @Override
        public CkgContext getCkgConfiguration(String profile, int type) {
            return null;
        }

        @Override
        public CmpMessageInterface getDownstreamConfiguration(String profile, int type) {
            return downstream;
        }

        @Override
        public int getDownstreamTimeout(String profile, int type) {
            return 60;
        }

        @Override
        public VerificationContext getEnrollmentTrust(String profile, int type) {
            return enrolment;
        }

        @Override
        public boolean getForceRaVerifyOnUpstream(String profile, int type) {
            return true;
        }

        @Override
        public InventoryInterface getInventory(String profile, int type) {
            return null;
        }

        @Override
        public int getRetryAfterTimeInSeconds(String profile, int type) {
            return SECONDS_TO_WAIT;
        }

        @Override
        public SupportMessageHandlerInterface getSupportMessageHandler(String profile, String infoType) {
            return null;
        }

        @Override
        public CmpMessageInterface getUpstreamConfiguration(String profile, int type) {
            return upstream;
        }

        @Override
        public boolean isRaVerifiedAcceptable(String profile, int type) {
            return true;
        }
    }
}
