package org.fedometer.datasets.patents;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.datasets.UnusableDocument;

/**
 * The files below a directory, by what their names say they are, and what there could not be read.
 * Used by the thread that opens a dataset.
 */
final class PatentFiles extends SimpleFileVisitor<Path> {

  /** Of several companions one counts: which does not depend on the order of the directory. */
  private static final Comparator<Found> COMPANIONS =
      Comparator.comparing((Found found) -> !isLowerCase(extension(found.path)))
          .thenComparing(
              found ->
                  CompanionType.EXTENSIONS.indexOf(extension(found.path).toLowerCase(Locale.ROOT)))
          .thenComparing(Found::path);

  private final Path directory;
  private final List<Found> xml = new ArrayList<>();
  private final Map<String, List<Found>> pdfs = new HashMap<>();
  private final Map<String, List<Found>> images = new HashMap<>();
  private final List<UnusableDocument> unreadableFiles = new ArrayList<>();
  private final List<UnusableDocument> unreadableFolders = new ArrayList<>();

  /** A file below the directory. */
  record Found(String path, long sizeBytes) {

    /** Of a PDF or image. */
    CompanionType type() {
      return CompanionType.of(extension(path));
    }
  }

  /** One document; companions are null where there are none. */
  record Document(Found xml, Found pdf, Found image) {

    long sizeBytes() {
      return xml.sizeBytes
          + (pdf == null ? 0 : pdf.sizeBytes)
          + (image == null ? 0 : image.sizeBytes);
    }
  }

  PatentFiles(Path directory) {
    this.directory = directory;
  }

  /** Walks through a directory and those below it, following links. */
  static PatentFiles below(Path directory) {
    PatentFiles files = new PatentFiles(directory);
    try {
      Files.walkFileTree(
          directory, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, files);
    } catch (IOException e) {
      // No method of this visitor throws one; the walk itself might.
      files.addFolder(directory, e);
    }
    return files;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
    return isHidden(path) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
    if (isHidden(path)) {
      return FileVisitResult.CONTINUE;
    }
    Found found = new Found(relative(path), attributes.size());
    String extension = extension(found.path);
    boolean document = extension.equalsIgnoreCase("xml");
    CompanionType companion = CompanionType.of(extension);
    if (attributes.isSymbolicLink()) {
      // Whatever its name: a folder of documents may have been behind it.
      addFile(found.path, "it is a link that leads nowhere");
    } else if (!document && companion == null) {
      return FileVisitResult.CONTINUE;
    } else if (!attributes.isRegularFile()) {
      addFile(found.path, "it is neither a file nor a folder");
    } else if (document) {
      xml.add(found);
    } else {
      (companion == CompanionType.PDF ? pdfs : images)
          .computeIfAbsent(base(found.path), base -> new ArrayList<>(1))
          .add(found);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path path, IOException e) {
    // A loop of links has been gone through once.
    if (!isHidden(path) && !(e instanceof FileSystemLoopException)) {
      if (Files.isDirectory(path)) {
        addFolder(path, e);
      } else {
        addFile(relative(path), reason(e));
      }
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path path, IOException e) {
    if (e != null) {
      addFolder(path, e);
    }
    return FileVisitResult.CONTINUE;
  }

  private void addFile(String path, String reason) {
    unreadableFiles.add(new UnusableDocument(path, "cannot be read: " + reason));
  }

  private void addFolder(Path path, IOException e) {
    unreadableFolders.add(
        new UnusableDocument(
            path.equals(directory) ? "." : relative(path),
            "is a folder that cannot be read: " + reason(e)));
  }

  /** What is wrong, without the path that Java puts before it. */
  static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "it is gone";
    } else if (e instanceof AccessDeniedException) {
      return "this user may not";
    } else if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return e.toString();
  }

  /** By path. */
  List<Document> documents() {
    return xml.stream()
        .sorted(Comparator.comparing(Found::path))
        .map(
            found ->
                new Document(
                    found, best(pdfs.get(base(found.path))), best(images.get(base(found.path)))))
        .toList();
  }

  private static Found best(List<Found> companions) {
    return companions == null ? null : companions.stream().min(COMPANIONS).orElseThrow();
  }

  /** PDFs and images beside the document that do not count, since another one does. */
  List<Found> spareCompanions(Document document) {
    List<Found> spare = new ArrayList<>();
    for (Map<String, List<Found>> companions : List.of(pdfs, images)) {
      companions.getOrDefault(base(document.xml.path), List.of()).stream()
          .sorted(COMPANIONS)
          .skip(1)
          .forEach(spare::add);
    }
    return spare;
  }

  /** Links that lead nowhere, pipes, and files that could not be looked at, by path. */
  List<UnusableDocument> unreadableFiles() {
    return byPath(unreadableFiles);
  }

  /** By path; what is in them is not known. */
  List<UnusableDocument> unreadableFolders() {
    return byPath(unreadableFolders);
  }

  private static List<UnusableDocument> byPath(List<UnusableDocument> documents) {
    return documents.stream().sorted(Comparator.comparing(UnusableDocument::path)).toList();
  }

  private String relative(Path path) {
    return directory.relativize(path).toString().replace('\\', '/');
  }

  private boolean isHidden(Path path) {
    Path name = path.getFileName();
    return !path.equals(directory) && name != null && name.toString().startsWith(".");
  }

  private static String base(String path) {
    return path.substring(0, path.lastIndexOf('.'));
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "" : path.substring(dot + 1);
  }

  private static boolean isLowerCase(String extension) {
    return extension.equals(extension.toLowerCase(Locale.ROOT));
  }
}
