package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.nio.file.Path;

/**
 * One file that a stack is made of.
 *
 * @param part what it is of the stack: {@code installer}, {@code library}, {@code database}, {@code
 *     driver}
 * @param file name of the file
 * @param sha256 of its content, in hexadecimal digits
 */
public record StackArtifact(String part, String coordinates, String file, String sha256) {

  /** With the checksum of this user's {@link FileChecksums}. */
  public static StackArtifact of(String part, String coordinates, Path file) throws IOException {
    return new StackArtifact(
        part, coordinates, file.getFileName().toString(), FileChecksums.ofUser().sha256(file));
  }
}
