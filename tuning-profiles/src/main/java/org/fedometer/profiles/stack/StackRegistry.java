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
 * This user's stacks, known across processes: a file for each in the user's state folder names its
 * home, where {@code stack.json} tells the rest. Any thread.
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
   * Stacks of which at least one process is alive, ordered by home; without those that cannot be
   * read, which must not hide the others.
   */
  public List<Stack> running() throws IOException {
    List<Stack> running = new ArrayList<>();
    for (Path home : homes()) {
      try {
        Stack.at(home, this).filter(Stack::isRunning).ifPresent(running::add);
      } catch (IOException | RuntimeException e) {
        // Something else lies there now, or a stack of another version, or one that lacks settings.
      }
    }
    running.sort(Comparator.comparing(Stack::home));
    return running;
  }

  /** The stack in a home, running or not; empty if the folder holds none. */
  public Optional<Stack> find(Path home) throws IOException {
    return Stack.at(home.toAbsolutePath().normalize(), this);
  }

  /**
   * Ends everything that runs for a home: a healthy stack, one whose tool was killed while it was
   * provisioned or started, a database whose Fedora is dead. Keeps the files. Calling it again, or
   * for a folder that holds no stack, does nothing.
   *
   * @return what was ended, such as {@code Fedora (pid 4711)}
   * @throws LostTriplesException as {@link Stack#stop}
   */
  public List<String> down(Path home) throws IOException {
    Optional<Stack> stack = find(home);
    return stack.isPresent() ? stack.get().stop() : List.of();
  }

  /**
   * Keeps other processes from making or starting a stack in a home until it is closed.
   *
   * @throws ProvisioningException if one does so already
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

  /** The homes of all entries; entries whose home is gone are removed. */
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
          // Not an entry of ours, or one that was not written to its end.
        }
      }
    }
    return homes;
  }
}
