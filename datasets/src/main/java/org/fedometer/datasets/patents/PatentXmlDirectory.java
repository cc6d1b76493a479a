package org.fedometer.datasets.patents;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.StoredLiteral;
import org.fedometer.datasets.UnusableDataException;
import org.fedometer.datasets.content.FileContent;

/**
 * Real patent documents from a directory and those below it, in the order of their paths; past the
 * last file it starts again with new PIDs. The XML becomes FULLTEXT byte for byte, a PDF, TIFF or
 * PNG with the same base name beside it becomes PDF or IMAGE. Other files, and those whose names
 * begin with a dot, are left alone. Links are followed, a loop of links is entered once.
 *
 * <p>Opening reads the bibliographic part of every document, so that one that cannot be used is
 * named before a run of days begins, or left out if the user said so; kept are paths and sizes,
 * about 200 bytes a document. Workers share one instance.
 */
public final class PatentXmlDirectory implements Dataset {

  public static final String NAME = "patents-xml";

  /** Small directories that are gone through again and again are parsed once. */
  private static final int CACHED_RECORDS = 256;

  private static final Map<String, String> IMAGE_TYPES =
      Map.of("tif", "image/tiff", "tiff", "image/tiff", "png", "image/png");

  private final Path directory;
  private final DatasetOptions options;
  private final PatentStatements statements;
  private final List<Document> documents;
  private final String listingSha256;
  private final long totalBytes;
  private final int longestLiteralBytes;
  private final boolean skipsBad;
  private final List<String> skipped;
  private final Map<Integer, PatentRecord> cache =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, PatentRecord> eldest) {
          return size() > CACHED_RECORDS;
        }
      };

  /** A file below the directory. */
  private record Found(String path, long sizeBytes) {}

  /** One document; companions are null where there are none. */
  private record Document(Found xml, Found pdf, Found image) {

    long sizeBytes() {
      return xml.sizeBytes
          + (pdf == null ? 0 : pdf.sizeBytes)
          + (image == null ? 0 : image.sizeBytes);
    }
  }

  /** Documents that can be used, what was found of them, and why the others cannot. */
  private record Examined(List<Document> documents, int longestLiteralBytes, List<String> bad) {}

  private PatentXmlDirectory(
      Path directory, DatasetOptions options, Examined examined, boolean skipsBad) {
    this.directory = directory;
    this.options = options;
    this.statements = new PatentStatements(options);
    this.documents = examined.documents;
    this.listingSha256 = listingSha256(documents);
    this.totalBytes = documents.stream().mapToLong(Document::sizeBytes).sum();
    this.longestLiteralBytes = examined.longestLiteralBytes;
    this.skipsBad = skipsBad;
    this.skipped = examined.bad;
  }

  /**
   * Opens a directory.
   *
   * @param text the directory; {@code skip-bad=true} leaves out what cannot be used
   * @throws UnusableDataException if it is missing, has no patent in it, or one that cannot be
   *     used, unless those are to be skipped
   */
  public static PatentXmlDirectory open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parseWithPath(NAME, text, List.of("dir", "skip-bad"));
    boolean skipsBad = parameters.flag("skip-bad", false);
    String given =
        parameters
            .text("dir")
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "dataset patents-xml needs a directory: patents-xml:DIR"));
    Path directory = path(given);
    if (!Files.isDirectory(directory)) {
      throw new UnusableDataException(
          (Files.exists(directory) ? "not a directory: " : "no such directory: ")
              + directory
              + " (of dataset patents-xml)",
          List.of());
    }
    Lister lister = list(directory);
    Examined examined = examine(directory, options, lister);
    if (!examined.bad.isEmpty() && (!skipsBad || examined.documents.isEmpty())) {
      throw new UnusableDataException(
          "%d of %d files in %s cannot be used as patents (move them away, rename them%s)"
              .formatted(
                  examined.bad.size(),
                  examined.bad.size() + examined.documents.size(),
                  directory,
                  skipsBad ? "" : ", or leave them out by --skip-bad"),
          examined.bad);
    }
    return new PatentXmlDirectory(directory, options, examined, skipsBad);
  }

  private static Path path(String given) {
    try {
      // A shell does not expand the tilde behind "patents-xml:".
      return (given.startsWith("~/")
              ? Path.of(System.getProperty("user.home"), given.substring(2))
              : Path.of(given))
          .toAbsolutePath()
          .normalize();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'" + given + "' cannot be a directory's name", e);
    }
  }

  private static Lister list(Path directory) {
    Lister lister = new Lister(directory);
    try {
      Files.walkFileTree(
          directory, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, lister);
    } catch (IOException e) {
      throw new UnusableDataException("cannot list " + directory + ": " + e, List.of());
    }
    if (lister.documents.isEmpty() && lister.problems.isEmpty()) {
      throw new UnusableDataException(
          "there is no file named *.xml in " + directory + " or below it", List.of());
    }
    return lister;
  }

  /** Gathers files by what their names say they are. */
  private static final class Lister extends SimpleFileVisitor<Path> {

    private final Path directory;
    private final List<Found> documents = new ArrayList<>();
    private final Map<String, Found> pdfs = new HashMap<>();
    private final Map<String, Found> images = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    Lister(Path directory) {
      this.directory = directory;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      return isHidden(path) && !path.equals(directory)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      Found found =
          new Found(directory.relativize(path).toString().replace('\\', '/'), attributes.size());
      String extension = extension(found.path);
      if (isHidden(path)) {
        return FileVisitResult.CONTINUE;
      }
      if (attributes.isSymbolicLink() && extension.equals("xml")) {
        problems.add(found.path + " cannot be read: it is a link that leads nowhere");
      } else if (!attributes.isRegularFile()) {
        return FileVisitResult.CONTINUE;
      } else if (extension.equals("xml")) {
        documents.add(found);
      } else if (extension.equals("pdf")) {
        pdfs.put(base(found.path), found);
      } else if (IMAGE_TYPES.containsKey(extension)) {
        // A TIFF goes before a PNG, whichever is listed first.
        images.merge(base(found.path), found, (a, b) -> isTiff(a) ? a : b);
      }
      return FileVisitResult.CONTINUE;
    }

    private static boolean isTiff(Found found) {
      return extension(found.path).startsWith("tif");
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      if (!(e instanceof FileSystemLoopException)) {
        problems.add(directory.relativize(path) + " cannot be read: " + e);
      }
      return FileVisitResult.CONTINUE;
    }

    private static boolean isHidden(Path path) {
      Path name = path.getFileName();
      return name != null && name.toString().startsWith(".");
    }

    List<Document> documents() {
      return documents.stream()
          .sorted(Comparator.comparing(Found::path))
          .map(xml -> new Document(xml, pdfs.get(base(xml.path)), images.get(base(xml.path))))
          .toList();
    }
  }

  private static String base(String path) {
    return path.substring(0, path.lastIndexOf('.'));
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "" : path.substring(dot + 1).toLowerCase(Locale.ROOT);
  }

  private static String listingSha256(List<Document> documents) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Document document : documents) {
        for (Found file : new Found[] {document.xml, document.pdf, document.image}) {
          if (file != null) {
            digest.update(
                (file.path + '\t' + file.sizeBytes + '\n').getBytes(StandardCharsets.UTF_8));
          }
        }
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Reads every document once, on all processors. */
  private static Examined examine(Path directory, DatasetOptions options, Lister lister) {
    record Result(Document document, int literalBytes, String problem) {}
    PatentStatements statements = new PatentStatements(options);
    List<Result> results =
        lister.documents().parallelStream()
            .map(
                document -> {
                  try {
                    PatentRecord patent = read(directory, document, PatentXmlReader::readToTheEnd);
                    return new Result(
                        document, longestLiteralBytes(patent, statements, options), null);
                  } catch (UncheckedIOException | PatentXmlReader.NotAPatentException e) {
                    return new Result(document, 0, document.xml.path + ' ' + e.getMessage());
                  }
                })
            .toList();
    List<String> bad = new ArrayList<>(lister.problems);
    results.stream().map(Result::problem).filter(Objects::nonNull).forEach(bad::add);
    return new Examined(
        results.stream().filter(one -> one.problem == null).map(Result::document).toList(),
        results.stream().mapToInt(Result::literalBytes).max().orElse(0),
        List.copyOf(bad));
  }

  private static int longestLiteralBytes(
      PatentRecord patent, PatentStatements statements, DatasetOptions options) {
    String pid = options.pid(document(patent), Long.MAX_VALUE);
    int dublinCore =
        statements.dublinCore(pid, patent).stream()
            .map(DublinCoreValue::value)
            .mapToInt(StoredLiteral::storedBytes)
            .max()
            .orElse(0);
    int relationships =
        statements.relationships(patent).stream()
            .filter(Relationship::literal)
            .map(Relationship::object)
            .mapToInt(StoredLiteral::storedBytes)
            .max()
            .orElse(0);
    return Math.max(dublinCore, relationships);
  }

  private interface Reading {
    PatentRecord of(InputStream in) throws IOException, PatentXmlReader.NotAPatentException;
  }

  private static PatentRecord read(Path directory, Document document, Reading reading)
      throws PatentXmlReader.NotAPatentException {
    for (Found file : new Found[] {document.xml, document.pdf, document.image}) {
      if (file != null && file.sizeBytes == 0) {
        throw new PatentXmlReader.NotAPatentException(
            file == document.xml ? "is empty" : "has an empty companion " + file.path);
      }
    }
    try (InputStream in = Files.newInputStream(directory.resolve(document.xml.path))) {
      return reading.of(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot be read: " + e, e);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("dir", directory.toString());
    parameters.put("skip-bad", Boolean.toString(skipsBad));
    parameters.put("skipped", Integer.toString(skipped.size()));
    parameters.put("documents", Integer.toString(documents.size()));
    parameters.put("bytes", Long.toString(totalBytes));
    parameters.put("listingSha256", listingSha256);
    options.addTo(parameters);
    return parameters;
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if the file is gone, or is no patent any more
   */
  @Override
  public ComposedObject object(long index) {
    if (index < 0) {
      throw new IllegalArgumentException("objects are numbered from 0; there is none " + index);
    }
    int number = (int) (index % documents.size());
    Document document = documents.get(number);
    PatentRecord patent = record(number);
    String pid = options.pid(document(patent), index);
    List<ContentStream> content = new ArrayList<>(3);
    content.add(content("FULLTEXT", "Full text", "text/xml", document.xml));
    if (document.pdf != null) {
      content.add(content("PDF", "Pages", "application/pdf", document.pdf));
    }
    if (document.image != null) {
      String type = IMAGE_TYPES.get(extension(document.image.path));
      content.add(content("IMAGE", "First page", type, document.image));
    }
    return new ComposedObject(
        pid,
        statements.label(patent),
        content,
        statements.dublinCore(pid, patent),
        statements.relationships(patent));
  }

  private PatentRecord record(int number) {
    synchronized (cache) {
      PatentRecord cached = cache.get(number);
      if (cached != null) {
        return cached;
      }
    }
    PatentRecord patent;
    try {
      patent = read(directory, documents.get(number), PatentXmlReader::read);
    } catch (PatentXmlReader.NotAPatentException e) {
      throw new UncheckedIOException(
          new IOException(
              documents.get(number).xml.path
                  + ' '
                  + e.getMessage()
                  + "; it was a patent when the dataset was opened"));
    }
    synchronized (cache) {
      cache.put(number, patent);
    }
    return patent;
  }

  private ContentStream content(String id, String label, String mediaType, Found file) {
    return new FileContent(id, label, mediaType, directory.resolve(file.path), file.sizeBytes);
  }

  /** The document's number as part of a PID: at most 20 characters. */
  private static String document(PatentRecord patent) {
    String number = patent.documentNumber().replaceAll("[^A-Za-z0-9]", "");
    return number.length() <= 20 ? number : number.substring(0, 20);
  }

  @Override
  public List<String> skipped() {
    return skipped;
  }

  @Override
  public long meanObjectBytes() {
    return totalBytes / documents.size();
  }

  @Override
  public int longestLiteralBytes() {
    return longestLiteralBytes;
  }
}
