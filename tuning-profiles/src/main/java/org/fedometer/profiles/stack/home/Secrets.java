package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.profiles.stack.program.StackFiles;

/**
 * Random passwords of a stack. They are kept in files that only the owner may read, never in
 * arguments or logs. Immutable.
 */
public record Secrets(
    String adminPassword,
    String internalPassword,
    String databasePassword,
    String databaseSuperuserPassword) {

  private static final String ALPHABET =
      "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
  private static final int LENGTH = 24;

  /**
   * Creates and writes new passwords.
   *
   * @param externalDatabasePassword the password of an existing database, or null
   */
  public static Secrets create(StackFolders folders, String externalDatabasePassword)
      throws IOException {
    SecureRandom random = new SecureRandom();
    Secrets secrets =
        new Secrets(
            password(random),
            password(random),
            externalDatabasePassword != null ? externalDatabasePassword : password(random),
            password(random));
    StackFiles.createPrivateFolder(folders.secrets());
    StackFiles.writePrivately(folders.adminPassword(), secrets.adminPassword());
    StackFiles.writePrivately(folders.internalPassword(), secrets.internalPassword());
    StackFiles.writePrivately(folders.databasePassword(), secrets.databasePassword());
    StackFiles.writePrivately(
        folders.databaseSuperuserPassword(), secrets.databaseSuperuserPassword());
    return secrets;
  }

  /**
   * Returns the passwords that {@link #create} has written.
   *
   * @throws IOException also if one of their files is missing, as in an unfinished stack
   */
  public static Secrets read(StackFolders folders) throws IOException {
    return new Secrets(
        Files.readString(folders.adminPassword()),
        Files.readString(folders.internalPassword()),
        Files.readString(folders.databasePassword()),
        Files.readString(folders.databaseSuperuserPassword()));
  }

  /** Returns a copy with a new password of an external database, which is also written. */
  public Secrets withDatabasePassword(StackFolders folders, String password) throws IOException {
    if (!password.equals(databasePassword)) {
      StackFiles.writePrivately(folders.databasePassword(), password);
    }
    return new Secrets(adminPassword, internalPassword, password, databaseSuperuserPassword);
  }

  /** Returns the stack's existing passwords, for masking; an unfinished stack may have none. */
  public static List<String> existing(StackFolders folders) throws IOException {
    List<String> existing = new ArrayList<>();
    for (Path file :
        List.of(
            folders.adminPassword(),
            folders.internalPassword(),
            folders.databasePassword(),
            folders.databaseSuperuserPassword())) {
      if (Files.exists(file)) {
        existing.add(Files.readString(file));
      }
    }
    return existing;
  }

  /** Returns a new password of 24 letters and digits without easily confused ones. */
  public static String password(SecureRandom random) {
    StringBuilder password = new StringBuilder();
    for (int i = 0; i < LENGTH; i++) {
      password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return password.toString();
  }

  @Override
  public String toString() {
    return "Secrets[masked]";
  }
}
