package recipe;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Every page needs a login, which is Spring Security's default: the settings of the portal say where. */
@SpringBootApplication
@RestController
public class Application {
  public static void main(String[] arguments) {
    SpringApplication.run(Application.class, arguments);
  }

  @GetMapping("/account")
  Map<String, Object> account(@AuthenticationPrincipal OidcUser user) {
    return user.getClaims();
  }
}
