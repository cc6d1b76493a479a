package org.fedometer.experiments.record;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.profiles.UserFolders;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * This user's running runs, shared between processes: a file for each in a private folder, beside
 * its socket. Stateless.
 */
public final class RunFiles {
  private static final String ENDING = ".json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path place;

  /**
   * @param place the folder, possibly missing yet
   */
  RunFiles(Path place) {
    this.place = place;
  }

  /** Returns the files in the user's state folder; creates nothing yet. */
  public static RunFiles ofUser() {
    return new RunFiles(UserFolders.state().resolve("runs"));
  }

  /**
   * A run that was running when this was written.
   *
   * @param id ULID
   * @param pid of its process
   * @param began start of that process, ISO 8601; empty if unknown
   * @param socket path of its socket
   */
  public record Entry(String id, String name, long pid, String began, String socket) {

    Entry(String id, String name, long pid, String socket) {
      this(id, name, pid, beginning(pid), socket);
    }

    /** Returns whether the process still exists, rather than another with the same number. */
    public boolean alive() {
      // Linux derives a process's start from the wall clock. If that was set meanwhile, a running
      // driver has another start, but still listens.
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)
          && (beginning(pid).equals(began) || isListening());
    }

    private boolean isListening() {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        return channel.isConnected();
      } catch (IOException | IllegalArgumentException e) {
        return false; // no listener, or an invalid path
      }
    }

    private static String beginning(long pid) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().startInstant())
          .map(Instant::toString)
          .orElse("");
    }
  }

  /** Returns the private folder, created if missing. */
  Path folder() throws IOException {
    PrivateFiles.createFolders(place);
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx------"));
    return place;
  }

  void write(Entry entry) throws IOException {
    folder();
    PrivateFiles.replace(file(entry.id()), JSON.writeValueAsBytes(entry));
  }

  /** Removes an entry, if present. */
  void remove(String id) {
    try {
      Files.deleteIfExists(file(id));
    } catch (IOException e) {
      // The process of the entry will be gone, which is sufficient.
    }
  }

  private Path file(String id) {
    return place.resolve(id + ENDING);
  }

  /** Returns all entries; skips unreadable ones. */
  public List<Entry> all() throws IOException {
    List<Entry> all = new ArrayList<>();
    if (!Files.isDirectory(place)) {
      return all;
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(place, "*" + ENDING)) {
      for (Path file : found) {
        try {
          Entry entry = JSON.readValue(Files.readAllBytes(file), Entry.class);
          if (entry != null
              && entry.id() != null
              && entry.name() != null
              && entry.socket() != null) {
            all.add(entry);
          }
        } catch (IOException e) {
          // Removed meanwhile, or foreign.
        }
      }
    }
    return all;
  }
}
