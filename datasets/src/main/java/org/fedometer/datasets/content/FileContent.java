package org.fedometer.datasets.content;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.datasets.ContentStream;

/**
 * A content stream from an unchanged file.
 *
 * @param sizeBytes the file's length when the dataset was opened
 */
public record FileContent(String id, String label, String mediaType, Path file, long sizeBytes)
    implements ContentStream {

  @Override
  public InputStream open() throws IOException {
    return Files.newInputStream(file);
  }
}
