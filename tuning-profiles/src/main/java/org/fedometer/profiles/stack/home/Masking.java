package org.fedometer.profiles.stack.home;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Masks secrets in configuration before it leaves the stack's home. Known passwords are masked
 * everywhere, unknown ones by the form of their place. Immutable.
 */
public final class Masking {

  static final String MASK = "********";

  private static final String SECRET_NAME = "[\\w.-]*(?:pass|password|passwd|secret|token)";

  /**
   * {@code name="dbPassword" value="..."}, as in fedora.fcfg, with the attributes in either order.
   */
  private static final Pattern PARAM =
      Pattern.compile("(?i)(<param\\s+name=\"" + SECRET_NAME + "\"\\s+value=\")[^\"]*(\")");

  private static final Pattern PARAM_VALUE_FIRST =
      Pattern.compile("(?i)(value=\")[^\"]*(\"\\s+name=\"" + SECRET_NAME + "\")");

  /** {@code callPassword="..."}. */
  private static final Pattern ATTRIBUTE =
      Pattern.compile("(?i)(\\b" + SECRET_NAME + "\\s*=\\s*\")[^\"]*(\")");

  private static final Pattern ATTRIBUTE_SINGLE_QUOTES =
      Pattern.compile("(?i)(\\b" + SECRET_NAME + "\\s*=\\s*')[^']*(')");

  /** A line of a properties file or of postgresql.conf. */
  private static final Pattern PROPERTY =
      Pattern.compile("(?im)^(\\s*" + SECRET_NAME + "\\s*[=:]\\s*)(?![\"'])\\S.*()$");

  /** A parameter in a URL or in an agent's options. */
  private static final Pattern URL_PARAMETER =
      Pattern.compile(
          "(?i)([?&;,=](?:pass|password|passwd|secret|token)=)(?![\"'])[^&;,\\s\"'<]+()");

  private static final List<Pattern> PLACES =
      List.of(
          PARAM, PARAM_VALUE_FIRST, ATTRIBUTE, ATTRIBUTE_SINGLE_QUOTES, PROPERTY, URL_PARAMETER);

  private final List<String> secrets;

  public Masking(List<String> secrets) {
    this.secrets = secrets.stream().filter(secret -> !secret.isEmpty()).toList();
  }

  /** Returns the text of a file or value with {@value #MASK} for each secret. */
  public String mask(String text) {
    String masked = text;
    for (String secret : secrets) {
      masked = masked.replace(secret, MASK);
    }
    for (Pattern place : PLACES) {
      masked = place.matcher(masked).replaceAll("$1" + MASK + "$2");
    }
    return masked;
  }
}
