package org.fedometer.driver.fedora;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;

/**
 * Address of a Fedora and login there. The password comes from a file or the environment and is
 * never printed.
 *
 * @param url of the web application, such as {@code http://127.0.0.1:8080/fedora}
 * @param user such as {@code fedoraAdmin}; without a colon
 * @param password as in Fedora's user file
 * @param ca PEM file of trusted certificates for {@code https}; null for those of this JVM
 */
public record FedoraLogin(URI url, String user, char[] password, Path ca) {

  public FedoraLogin(URI url, String user, char[] password) {
    this(url, user, password, null);
  }

  public FedoraLogin {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    String scheme = url.getScheme();
    if (url.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new IllegalArgumentException(
          "Fedora's address must look like http://127.0.0.1:8080/fedora, not like '" + url + "'.");
    }
    if (url.getQuery() != null || url.getFragment() != null || url.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "Fedora's address is host, port and path only, without user, query or fragment.");
    }
    if (user.isEmpty() || user.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "The user's name must not be empty and must not hold a colon, but is '" + user + "'.");
    }
    password = password.clone();
  }

  /** Returns a copy; the caller may blank it. */
  @Override
  public char[] password() {
    return password.clone();
  }

  /** Returns the {@code Authorization} header, sent preemptively with every request. */
  String authorization() {
    CharBuffer pair = CharBuffer.allocate(user.length() + 1 + password.length);
    pair.put(user).put(':').put(password).flip();
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(pair);
    byte[] exact = new byte[bytes.remaining()];
    bytes.get(exact);
    return "Basic " + Base64.getEncoder().encodeToString(exact);
  }

  /** Returns the address below the web application for an encoded path. */
  public URI resolve(String path) {
    String base = url.toString();
    return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
  }

  @Override
  public String toString() {
    return user + " at " + url;
  }
}
