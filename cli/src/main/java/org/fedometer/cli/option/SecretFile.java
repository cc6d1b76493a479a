package org.fedometer.cli.option;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.cli.terminal.PlainErrors;

/** Reads a file that contains only a password or token. Stateless. */
final class SecretFile {
  private SecretFile() {}

  /**
   * Returns the content without surrounding white space.
   *
   * @param description the user's name of the file, usually its option
   * @throws IllegalArgumentException if it is unreadable or empty; the message is one sentence
   */
  static String read(String description, Path file) {
    String secret;
    try {
      secret = Files.readString(file).strip();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("%s %s is not UTF-8".formatted(description, file), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s cannot be read: %s".formatted(description, PlainErrors.message(e)), e);
    }
    if (secret.isEmpty()) {
      throw new IllegalArgumentException("%s %s is empty".formatted(description, file));
    }
    return secret;
  }
}
