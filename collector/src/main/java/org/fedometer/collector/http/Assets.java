package org.fedometer.collector.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.fedometer.collector.dashboard.Dashboard;
import org.fedometer.web.WebAsset;

/** Serves the dashboard's page and its resources, which are bundled and hold no data. */
final class Assets implements Page {
  private static final String FOLDER = "page/";
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8");

  /** Allows scripts of this origin only, so that foreign text never becomes markup. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
          + " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  /** Existing assets only; guessed names leave nothing here. */
  private final Map<String, Asset> known = new ConcurrentHashMap<>();

  private record Asset(byte[] body, String type, String tag) {}

  @Override
  public Reply handle(Request request) throws IOException {
    String path = request.path();
    Asset asset =
        assetOf(path.equals("/") ? "dashboard.html" : path.substring(path.lastIndexOf('/') + 1));
    if (asset == null) {
      return Response.text(404, "nothing is here");
    }
    Map<String, String> headers =
        Map.of("etag", asset.tag(), "cache-control", "no-cache", "content-security-policy", POLICY);
    boolean has = asset.tag().equals(request.ifNoneMatch());
    return new Response(has ? 304 : 200, asset.type(), has ? new byte[0] : asset.body(), headers);
  }

  /** Returns null if there is none. */
  private Asset assetOf(String name) throws IOException {
    Asset asset = known.get(name);
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (asset != null || type == null || !NAME.matcher(name).matches()) {
      return asset;
    }
    byte[] body = bodyOf(name);
    if (body == null) {
      return null;
    }
    asset = new Asset(body, type, tagOf(body));
    known.put(name, asset);
    return asset;
  }

  /** Returns an asset of the module web, shared with reports, or of the dashboard; or null. */
  private static byte[] bodyOf(String name) throws IOException {
    Optional<WebAsset> shared = WebAsset.named(name);
    if (shared.isPresent()) {
      return shared.get().text().getBytes(StandardCharsets.UTF_8);
    }
    try (InputStream in = Dashboard.class.getResourceAsStream(FOLDER + name)) {
      return in == null ? null : in.readAllBytes();
    }
  }

  /** Returns a weak tag: gzip yields other bytes for the same content. */
  private static String tagOf(byte[] body) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
      return "W/\"" + HexFormat.of().formatHex(digest, 0, 12) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
