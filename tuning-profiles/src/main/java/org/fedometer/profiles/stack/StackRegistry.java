package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.fedometer.profiles.UserFolders;
import org.fedometer.profiles.stack.home.HomeLock;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.wire.disk.Durable;

/**
 * This user's stacks, shared between processes: a file for each in the user's state folder names
 * its home with {@code stack.json}. Thread-safe.
 */
public final class StackRegistry {

  private final Path folder;

  private StackRegistry(Path folder) {
    this.folder = folder;
  }

  public static StackRegistry ofUser() {
    return new StackRegistry(UserFolders.state().resolve("stacks"));
  }

  /**
   * Returns the stacks with a live process, ordered by home; skips unreadable ones, which must not
   * hide the others.
   */
  public List<Stack> running() throws IOException {
    List<Stack> running = new ArrayList<>();
    for (Path home : homes()) {
      try {
        Stack.at(home, this).filter(Stack::isRunning).ifPresent(running::add);
      } catch (IOException | RuntimeException e) {
        // Other data, a stack of another version, or one that lacks settings.
      }
    }
    running.sort(Comparator.comparing(Stack::home));
    return running;
  }

  /** Returns the stack in a home, running or not; empty if the folder has none. */
  public Optional<Stack> find(Path home) throws IOException {
    return Stack.at(home.toAbsolutePath().normalize(), this);
  }

  /**
   * Ends everything that runs for a home: a healthy stack, one whose tool was killed during
   * installation or start, or a database whose Fedora is dead. Keeps the files. Does nothing if
   * repeated, or for a folder without a stack.
   *
   * @return what was ended, such as {@code Fedora (pid 4711)}
   * @throws LostTriplesException as {@link Stack#stop}
   */
  public List<String> down(Path home) throws IOException {
    Optional<Stack> stack = find(home);
    return stack.isPresent() ? stack.get().stop() : List.of();
  }

  /**
   * Locks a home against other processes that make or start a stack, until closed.
   *
   * @throws ProvisioningException if it is locked already
   */
  HomeLock lock(Path home) throws IOException, ProvisioningException {
    Durable.createDirectories(folder);
    return HomeLock.acquire(folder.resolve("homes.lock"), home);
  }

  void add(String id, Path home) throws IOException {
    Durable.createDirectories(folder);
    StackFiles.writePrivately(folder.resolve(id), home.toString());
  }

  void remove(String id) throws IOException {
    Files.deleteIfExists(folder.resolve(id));
  }

  /** Returns the homes of all entries; removes entries without a home. */
  private List<Path> homes() throws IOException {
    List<Path> homes = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return homes;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*[0-9a-f]")) {
      for (Path entry : entries) {
        try {
          Path home = Path.of(Files.readString(entry));
          if (Files.exists(new StackFolders(home).document())) {
            homes.add(home);
          } else {
            Files.deleteIfExists(entry);
          }
        } catch (NoSuchFileException e) {
          // Taken down meanwhile.
        } catch (IOException | InvalidPathException e) {
          // A foreign or incomplete entry.
        }
      }
    }
    return homes;
  }
}
