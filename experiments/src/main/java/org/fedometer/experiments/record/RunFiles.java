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
 * Which runs of this user go on, known across processes: a file for each in a folder that nobody
 * else may enter, beside its socket. Stateless.
 */
public final class RunFiles {
  private static final String ENDING = ".json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path place;

  /** The folder may still have to be made. */
  RunFiles(Path place) {
    this.place = place;
  }

  /** In the user's folder of what outlives a process; nothing is made there yet. */
  public static RunFiles ofUser() {
    return new RunFiles(UserFolders.state().resolve("runs"));
  }

  /**
   * A run that went on when this was written.
   *
   * @param id ULID
   * @param pid of the process that conducts it
   * @param began when that process began, ISO 8601; empty where the system does not tell
   * @param socket where it listens
   */
  public record Entry(String id, String name, long pid, String began, String socket) {

    Entry(String id, String name, long pid, String socket) {
      this(id, name, pid, beginning(pid), socket);
    }

    /** Whether the process is there, and not another of the same number. */
    public boolean alive() {
      // Linux works out when a process began from the time of day: where that was set meanwhile,
      // the driver has another beginning now, and listens all the same.
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)
          && (beginning(pid).equals(began) || isListening());
    }

    private boolean isListening() {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        return channel.isConnected();
      } catch (IOException | IllegalArgumentException e) {
        return false; // nobody does, or that is no path
      }
    }

    private static String beginning(long pid) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().startInstant())
          .map(Instant::toString)
          .orElse("");
    }
  }

  /** The folder; made where it is missing, and closed to others. */
  Path folder() throws IOException {
    PrivateFiles.createFolders(place);
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx------"));
    return place;
  }

  void write(Entry entry) throws IOException {
    folder();
    PrivateFiles.replace(file(entry.id()), JSON.writeValueAsBytes(entry));
  }

  /** What is not there any more is no matter. */
  void remove(String id) {
    try {
      Files.deleteIfExists(file(id));
    } catch (IOException e) {
      // The process it names will be gone, which is what counts.
    }
  }

  private Path file(String id) {
    return place.resolve(id + ENDING);
  }

  /** All that were written and not removed; what cannot be read is none of ours. */
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
          // Removed meanwhile, or not one of ours.
        }
      }
    }
    return all;
  }
}
