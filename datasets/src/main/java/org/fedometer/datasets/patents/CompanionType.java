package org.fedometer.datasets.patents;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Types of companion files next to a patent's XML with the same base name, identified by extension.
 */
enum CompanionType {
  PDF("a PDF", "application/pdf", List.of("pdf")) {
    /**
     * Searches the first 1,024 bytes: PDF readers accept so many before the header, and writers
     * rely on it.
     */
    @Override
    boolean isBeginOf(String head) {
      return head.contains("%PDF-");
    }
  },

  /** A TIFF in either byte order, classic or BigTIFF. */
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

  /** All extensions, in the order of preference among several companions of a document. */
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

  /** Returns the type of files with this extension in any case, or null. */
  static CompanionType of(String extension) {
    String lowerCase = extension.toLowerCase(Locale.ROOT);
    for (CompanionType type : values()) {
      if (type.extensions.contains(lowerCase)) {
        return type;
      }
    }
    return null;
  }

  /** Returns the name for users, with its article. */
  String description() {
    return description;
  }

  String mediaType() {
    return mediaType;
  }

  /** Returns whether the file begins like this type; reads at most 1,024 bytes. */
  boolean isTypeOf(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return isBeginOf(new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1));
    }
  }

  /**
   * @param head the first bytes of a file, one character each
   */
  abstract boolean isBeginOf(String head);
}
