package org.fedometer.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DublinCoreValue;

/** Content that Fedora partly treats as missing: empty, and with a leading zero byte. */
record EdgeCaseContents(String namespace) implements Dataset {

  private record Bytes(String id, byte[] bytes) implements ContentStream {

    @Override
    public String label() {
      return "Ünusual & " + id;
    }

    @Override
    public String mediaType() {
      return "application/octet-stream";
    }

    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  @Override
  public String name() {
    return "odd";
  }

  @Override
  public Map<String, String> parameters() {
    return Map.of();
  }

  @Override
  public ComposedObject object(long index) {
    return new ComposedObject(
        namespace + ":" + index,
        "odd",
        List.of(
            new Bytes("EMPTY", new byte[0]),
            new Bytes("ZERO", new byte[] {0, 1, 2}),
            new Bytes("BREAKS", "\r\n--\r\n\r\n".getBytes(StandardCharsets.US_ASCII))),
        List.of(new DublinCoreValue("title", "odd")),
        List.of());
  }

  @Override
  public long meanObjectBytes() {
    return 20;
  }

  @Override
  public int maxLiteralBytes() {
    return 20;
  }
}
