package org.fedometer.collector;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * What {@code collector.json} in a store says about the collector that writes it.
 *
 * @param started when that process began, ISO-8601
 * @param host to connect to
 * @param version of Fedometer, or {@code development}
 * @param tlsCertificate PEM file that the collector proves with who it is, or null where it takes
 *     plain connections
 * @param http where its dashboard is, such as {@code http://127.0.0.1:4712/}, or null where nobody
 *     is answered by HTTP
 */
record CollectorFile(
    long pid,
    String started,
    String host,
    int port,
    String version,
    String tlsCertificate,
    String http) {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  /** Of a file that was copied about or cut off, fields may be missing. */
  CollectorFile {
    if (host == null || host.isBlank()) {
      throw new IllegalArgumentException("host " + host + ": must name one");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + ": must be from 1 to 65535");
    }
  }

  static Path in(Path store) {
    return store.resolve("collector.json");
  }

  void write(Path store) throws IOException {
    PrivateFiles.replace(in(store), JSON.writeValueAsBytes(this));
  }

  /** Empty where there is none, or one that cannot be read. */
  static Optional<CollectorFile> read(Path store) throws IOException {
    try {
      return Optional.ofNullable(
          JSON.readValue(Files.readAllBytes(in(store)), CollectorFile.class));
    } catch (NoSuchFileException | JacksonException e) {
      return Optional.empty();
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  static void delete(Path store) throws IOException {
    Files.deleteIfExists(in(store));
  }
}
