package org.fedometer.driver;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Relationship;

/** Objects of a few bytes, for tests of what happens between driver and repository. */
public class TinyDataset implements Dataset {

  @Override
  public String name() {
    return "tiny";
  }

  @Override
  public Map<String, String> parameters() {
    return Map.of();
  }

  @Override
  public ComposedObject object(long index) {
    String pid = "tiny:" + index;
    return new ComposedObject(
        pid,
        "Object " + index,
        List.of(text("FULLTEXT", "text of " + index), text("IMAGE", "image of " + index)),
        List.of(new DublinCoreValue("title", "Object " + index)),
        List.of(new Relationship("info:example/partOf", "info:fedora/tiny:all", false)));
  }

  public static ContentStream text(String id, String text) {
    return content(id, "text/plain", text);
  }

  public static ContentStream content(String id, String mediaType, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new ContentStream() {
      @Override
      public String id() {
        return id;
      }

      @Override
      public String label() {
        return id;
      }

      @Override
      public String mediaType() {
        return mediaType;
      }

      @Override
      public long sizeBytes() {
        return bytes.length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes);
      }
    };
  }

  /** Where the bytes of a content stream come from. */
  interface Source {
    InputStream open() throws IOException;
  }

  /** The same content, with a source that fails as if the disk were gone. */
  static ContentStream unreadable(ContentStream content) {
    return from(
        content,
        () -> {
          throw new IOException("the disk is gone");
        });
  }

  /** The same content from another source. */
  static ContentStream from(ContentStream content, Source source) {
    return new ContentStream() {
      @Override
      public String id() {
        return content.id();
      }

      @Override
      public String label() {
        return content.label();
      }

      @Override
      public String mediaType() {
        return content.mediaType();
      }

      @Override
      public long sizeBytes() {
        return content.sizeBytes();
      }

      @Override
      public InputStream open() throws IOException {
        return source.open();
      }
    };
  }

  @Override
  public long meanObjectBytes() {
    return 30;
  }

  @Override
  public int maxLiteralBytes() {
    return 20;
  }
}
