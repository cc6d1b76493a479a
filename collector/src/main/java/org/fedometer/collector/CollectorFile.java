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
 * Content of a store's {@code collector.json}, which describes the collector that writes the store.
 *
 * @param started process start, ISO-8601
 * @param host host to connect to
 * @param version Fedometer's version, or {@code development}
 * @param tlsCertificate PEM file with the collector's certificate, or null for plain connections
 * @param http URL of its dashboard, such as {@code http://127.0.0.1:4712/}, or null without HTTP
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

  /** Validates fields, which a truncated or copied file may lack. */
  CollectorFile {
    if (host == null || host.isBlank()) {
      throw new IllegalArgumentException("host " + host + ": must name a host");
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

  /** Returns the file's content, or empty if it is missing or unreadable. */
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
