package countersign.sandbox;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The redirect URIs of an injected {@link SandboxClient}: of the parameter, or of all parameters of the method or the class. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.METHOD, ElementType.TYPE})
public @interface RedirectUris {
  String[] value();
}
