package org.fedometer.cli.option;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.cli.terminal.PlainErrors;

/** A file that holds a password or a token and nothing else, named by an option. Stateless. */
final class SecretFile {
  private SecretFile() {}

  /**
   * What the file holds, without blanks and ends of lines around it.
   *
   * @param description what users know the file by: its option, mostly
   * @throws IllegalArgumentException one sentence: it cannot be read, or is empty
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
