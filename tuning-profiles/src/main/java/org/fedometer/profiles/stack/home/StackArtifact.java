package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file used to build a stack.
 *
 * @param part the use of the file: {@code installer}, {@code library}, {@code database}, {@code
 *     driver}
 * @param file the name of the file
 * @param sha256 the checksum of its content, in hexadecimal digits
 */
public record StackArtifact(String part, String coordinates, String file, String sha256) {

  /** Returns an artifact with the checksum from this user's {@link FileChecksums}. */
  public static StackArtifact of(String part, String coordinates, Path file) throws IOException {
    return new StackArtifact(
        part, coordinates, file.getFileName().toString(), FileChecksums.ofUser().sha256(file));
  }
}
