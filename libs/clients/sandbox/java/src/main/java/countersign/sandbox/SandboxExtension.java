package countersign.sandbox;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the sandbox: a parameter {@link Sandbox} is that of the whole run, which starts with the first test that asks for it and ends with the last one; a
 * parameter {@link SandboxClient} is a client of the test's own, with the redirect URIs of {@link RedirectUris}, so that tests may run at the same time.
 */
public final class SandboxExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SandboxExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Sandbox.class || type == SandboxClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Sandbox.class ? sandboxOf(context) : clientOf(context, redirectUrisOf(parameter, context));
  }

  /** The sandbox of the run of which this is a context, for extensions of your own. */
  public static Sandbox sandboxOf(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(OfRun.class, key -> new OfRun(), OfRun.class).sandbox;
  }

  /** The client of a test, the same one in its {@code BeforeEach}; or that of a class, in its {@code BeforeAll}. */
  private static SandboxClient clientOf(ExtensionContext context, List<String> redirectUris) {
    List<Object> key = List.of(context.getUniqueId(), redirectUris);
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(key, unused -> sandboxOf(context).createClient(redirectUris.toArray(String[]::new)), SandboxClient.class);
  }

  private static List<String> redirectUrisOf(ParameterContext parameter, ExtensionContext context) {
    RedirectUris ofClass = context.getTestClass().map(type -> type.getAnnotation(RedirectUris.class)).orElse(null);
    RedirectUris found = Stream.of(
            parameter.getParameter().getAnnotation(RedirectUris.class),
            parameter.getDeclaringExecutable().getAnnotation(RedirectUris.class),
            ofClass)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(
            () -> new SandboxException("an injected SandboxClient needs redirect URIs: annotate it with @RedirectUris(\"http://localhost:8080/callback\")"));
    return List.of(found.value());
  }

  /** The store of the run closes it at the end: by the first of these interfaces in JUnit 5, by the other one in later versions. */
  private static final class OfRun implements CloseableResource, AutoCloseable {
    private final Sandbox sandbox = Sandbox.start();

    @Override
    public void close() {
      sandbox.close();
    }
  }
}
