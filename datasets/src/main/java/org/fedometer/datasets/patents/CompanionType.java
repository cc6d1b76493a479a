package org.fedometer.datasets.patents;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What may lie beside a patent's XML under the same base name, known by its extension. */
enum CompanionType {
  PDF("a PDF", "application/pdf", List.of("pdf")) {
    /** Readers of PDF accept up to 1,024 bytes before the header, and writers rely on it. */
    @Override
    boolean isBeginOf(String head) {
      return head.contains("%PDF-");
    }
  },

  /** In either order of bytes, classic or BigTIFF. */
  TIFF("a TIFF", "image/tiff", List.of("tif", "tiff")) {
    @Override
    boolean isBeginOf(String head) {
      return head.startsWith("II*\0")
          || head.startsWith("MM\0*")
          || head.startsWith("II+\0")
          || head.startsWith("MM\0+");
    }
  },

  PNG("a PNG", "image/png", List.of("png")) {
    @Override
    boolean isBeginOf(String head) {
      return head.startsWith("\u0089PNG\r\n\u001a\n");
    }
  };

  private static final int HEAD_BYTES = 1024;

  /** All extensions, those that come first where a document has several companions first. */
  static final List<String> EXTENSIONS =
      Arrays.stream(values()).flatMap(type -> type.extensions.stream()).toList();

  private final String description;
  private final String mediaType;
  private final List<String> extensions;

  CompanionType(String description, String mediaType, List<String> extensions) {
    this.description = description;
    this.mediaType = mediaType;
    this.extensions = extensions;
  }

  /** Of a file with this extension in any case, or null. */
  static CompanionType of(String extension) {
    String lowerCase = extension.toLowerCase(Locale.ROOT);
    for (CompanionType type : values()) {
      if (type.extensions.contains(lowerCase)) {
        return type;
      }
    }
    return null;
  }

  /** As people say it, with its article. */
  String description() {
    return description;
  }

  String mediaType() {
    return mediaType;
  }

  /** Whether the file begins as one of this type does; reads at most 1,024 bytes. */
  boolean isTypeOf(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return isBeginOf(new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1));
    }
  }

  /**
   * @param head the first bytes of a file, a character each
   */
  abstract boolean isBeginOf(String head);
}
