package org.fedometer.driver.fedora;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;

/**
 * Where a Fedora is and who logs in there. The password comes from a file or the environment and is
 * never printed.
 *
 * @param url of the web application, such as {@code http://127.0.0.1:8080/fedora}
 * @param user such as {@code fedoraAdmin}; a colon cannot be part of it
 * @param password as Fedora's user file has it
 * @param ca PEM file with the certificates to trust where the address is {@code https}; null for
 *     those that this Java trusts
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

  /** A copy; the caller may blank it. */
  @Override
  public char[] password() {
    return password.clone();
  }

  /** Value of the header {@code Authorization}, sent with every request without being asked. */
  String authorization() {
    CharBuffer pair = CharBuffer.allocate(user.length() + 1 + password.length);
    pair.put(user).put(':').put(password).flip();
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(pair);
    byte[] exact = new byte[bytes.remaining()];
    bytes.get(exact);
    return "Basic " + Base64.getEncoder().encodeToString(exact);
  }

  /** The address of something below the web application; {@code path} is already encoded. */
  public URI resolve(String path) {
    String base = url.toString();
    return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
  }

  @Override
  public String toString() {
    return user + " at " + url;
  }
}
