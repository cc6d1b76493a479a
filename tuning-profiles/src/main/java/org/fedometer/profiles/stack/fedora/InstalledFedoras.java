package org.fedometer.profiles.stack.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.profiles.stack.program.UnpackedPrograms;

/**
 * Installations of Fedora in the user's cache folder, one for each installer and set of answers.
 * Later homes get a copy in a tenth of the installer's time. Only two things differ between homes,
 * the folder and the administrator's password. The copy gets its own values wherever the installer
 * has written them. Safe for several processes at once.
 */
public final class InstalledFedoras {

  /** Characters for which the places where the installer writes or escapes a folder are known. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/.+-]+");

  private static final String HOME = "home";
  private static final String PASSWORD = "password";
  private static final String TEXTS = "texts";
  private static final String BYTES = "bytes";

  private final Path cache;

  /**
   * @param cache the user's cache folder; created when needed
   */
  public InstalledFedoras(Path cache) {
    this.cache = cache;
  }

  interface Installing {
    /**
     * @param folders the target; only content below {@link StackFolders#fedora} is kept
     */
    void into(StackFolders folders, String adminPassword)
        throws IOException, InterruptedException, ProvisioningException;
  }

  /** Returns whether a home's Fedora can be a copy. */
  boolean canServe(StackFolders folders) {
    return isPlain(folders.home()) && isPlain(cache.toAbsolutePath());
  }

  private static boolean isPlain(Path folder) {
    return PLAIN.matcher(folder.toString()).matches();
  }

  /**
   * Copies Fedora into a home.
   *
   * @param name the name of the installer and the answers; equal for equal ones
   * @param installing the installation to run if there is no such Fedora yet
   * @throws IOException also if the cache is unusable; the home's content is then useless
   */
  void copy(String name, StackFolders folders, String adminPassword, Installing installing)
      throws IOException, InterruptedException, ProvisioningException {
    Path installed =
        new UnpackedPrograms(cache).of("fedora", name, folder -> install(folder, installing));
    try {
      if (!isCopied(new StackFolders(installed), folders, adminPassword)) {
        // Cleaning by age or a power cut may have removed some of the files.
        StackFiles.deleteTree(installed);
        throw new IOException(installed + " was not complete");
      }
    } catch (ClosedByInterruptException e) {
      Thread.interrupted();
      throw new InterruptedException();
    }
  }

  /** Copies the installation; returns false if some of its files are missing. */
  private static boolean isCopied(StackFolders installed, StackFolders to, String adminPassword)
      throws IOException, InterruptedException {
    Properties made = made(record(installed.home()));
    if (!made.stringPropertyNames().containsAll(Set.of(HOME, PASSWORD, TEXTS, BYTES))
        || !Files.isDirectory(installed.fedora())) {
      return false;
    }
    Copy copy = new Copy(installed, to, adminPassword, made);
    Files.walkFileTree(installed.fedora(), copy);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return made.getProperty(BYTES).equals(Long.toString(copy.bytes));
  }

  /** Returns the record of an installation; empty if the record is gone. */
  private static Properties made(Path record) throws IOException {
    Properties made = new Properties();
    if (Files.isRegularFile(record)) {
      try (InputStream in = Files.newInputStream(record)) {
        made.load(in);
      }
    }
    return made;
  }

  private static void install(Path folder, Installing installing)
      throws IOException, InterruptedException, ProvisioningException {
    // The installer may resolve links itself.
    StackFolders folders = new StackFolders(folder.toRealPath());
    String password = Secrets.password(new SecureRandom());
    installing.into(folders, password);

    String home = folders.home().toString();
    List<String> texts = new ArrayList<>();
    long[] bytes = {0};
    Files.walkFileTree(
        folders.fedora(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            bytes[0] += attributes.size();
            String text = read(file);
            if (text.contains(home) || text.contains(password)) {
              texts.add(folders.fedora().relativize(file).toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    Properties made = new Properties();
    made.setProperty(HOME, home);
    made.setProperty(PASSWORD, password);
    made.setProperty(TEXTS, String.join("\n", texts));
    made.setProperty(BYTES, Long.toString(bytes[0]));
    try (OutputStream out = Files.newOutputStream(record(folder))) {
      made.store(out, "What Fedora's installer was told, where it wrote it, and how much it made");
    }
  }

  private static Path record(Path installed) {
    return installed.resolve("installed.properties");
  }

  /** Reads bytes as characters that convert back to the same bytes, whatever the encoding. */
  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }

  private static final class Copy extends SimpleFileVisitor<Path> {
    private final Path from;
    private final StackFolders to;
    private final String adminPassword;
    private final Properties made;
    private final List<String> texts;
    private long bytes;

    Copy(StackFolders from, StackFolders to, String adminPassword, Properties made) {
      this.from = from.fedora();
      this.to = to;
      this.adminPassword = adminPassword;
      this.made = made;
      this.texts = made.getProperty(TEXTS).lines().toList();
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      Files.createDirectories(to.fedora().resolve(from.relativize(folder)));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (Thread.currentThread().isInterrupted()) {
        return FileVisitResult.TERMINATE;
      }
      bytes += attributes.size();
      String name = from.relativize(file).toString();
      Path copy = to.fedora().resolve(name);
      Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      if (texts.contains(name)) {
        String text =
            read(copy)
                .replace(made.getProperty(HOME), to.home().toString())
                .replace(made.getProperty(PASSWORD), adminPassword);
        Files.write(copy, text.getBytes(StandardCharsets.ISO_8859_1));
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
