package org.fedometer.datasets.patents;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DocumentFolder;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.FilesBelow;
import org.fedometer.datasets.FilesBelow.Found;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.RecentDocuments;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.StoredLiteral;
import org.fedometer.datasets.UnusableDocument;
import org.fedometer.datasets.content.FileContent;
import org.fedometer.datasets.patents.PatentFiles.Document;

/**
 * Real patent documents from a directory and its subfolders, in the order of their paths; after the
 * last file it starts again with new PIDs. The XML becomes FULLTEXT byte for byte. A PDF, TIFF or
 * PNG next to it with the same base name becomes PDF or IMAGE. Other files, and those whose names
 * begin with a dot, are ignored. Links are followed, and a loop of links is entered once.
 *
 * <p>Opening reads every document to its end, and the beginning of its companions. A broken one is
 * thus reported before a run of days begins, or left out if the user requested it. Unreadable files
 * are always reported and prevent the start, since their content is unknown. Paths and sizes stay
 * in memory, about 200 bytes a document. Workers share one instance.
 */
public final class PatentXmlDirectory implements Dataset {

  public static final String NAME = "patents-xml";

  public static final DatasetKind KIND =
      new DatasetKind(
          NAME,
          "real patent documents of yours",
          List.of(DocumentFolder.DIRECTORY, DocumentFolder.SKIP_BAD));

  /** Largest number of named documents with more than one PDF or image. */
  private static final int MAX_NAMED_UNUSED = 10;

  private final Path directory;
  private final DatasetOptions options;
  private final PatentStatements statements;
  private final List<Document> documents;
  private final String listingSha256;
  private final long totalBytes;
  private final int maxLiteralBytes;
  private final boolean skipsInvalid;
  private final List<UnusableDocument> skipped;
  private final List<String> notes;
  private final int unusedCompanions;
  private final RecentDocuments<PatentRecord> recent = new RecentDocuments<>();

  private record Examined(
      List<Document> documents,
      int maxLiteralBytes,
      List<UnusableDocument> broken,
      List<UnusableDocument> unreadable) {}

  private PatentXmlDirectory(
      Path directory,
      DatasetOptions options,
      Examined examined,
      boolean skipsInvalid,
      PatentFiles files) {
    this.directory = directory;
    this.options = options;
    this.statements = new PatentStatements(options);
    this.documents = examined.documents;
    this.listingSha256 = listingSha256(documents);
    this.totalBytes = documents.stream().mapToLong(Document::sizeBytes).sum();
    this.maxLiteralBytes = examined.maxLiteralBytes;
    this.skipsInvalid = skipsInvalid;
    this.skipped = examined.broken;
    this.notes = unusedCompanions(documents, files);
    this.unusedCompanions =
        documents.stream().mapToInt(one -> files.unusedCompanions(one).size()).sum();
  }

  /**
   * @param text the directory; {@code skip-invalid=true} leaves out broken documents
   * @throws UnusableDataException if it is missing, has no patent in it, something unreadable, or a
   *     broken document, unless those are to be skipped
   */
  public static PatentXmlDirectory open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parseWithPath(KIND, text);
    DocumentFolder folder = DocumentFolder.open(NAME, parameters, "used as patents");
    Path directory = folder.directory();
    PatentFiles files = PatentFiles.below(directory);
    Examined examined = examine(directory, options, files.documents());
    folder.requireReadable(files.below(), examined.unreadable, examined.broken);
    folder.requireUsable(
        "*.xml", examined.documents.size() + examined.broken.size(), examined.broken);
    return new PatentXmlDirectory(directory, options, examined, folder.skipsInvalid(), files);
  }

  private static List<String> unusedCompanions(List<Document> documents, PatentFiles files) {
    List<Document> several =
        documents.stream().filter(one -> !files.unusedCompanions(one).isEmpty()).toList();
    List<String> notes = new ArrayList<>();
    for (Document one : several.subList(0, Math.min(MAX_NAMED_UNUSED, several.size()))) {
      String unused =
          files.unusedCompanions(one).stream().map(Found::path).collect(Collectors.joining(", "));
      notes.add(
          UnusableDocument.escaped(
              one.xml().path() + " has more than one PDF or image; ignored: " + unused));
    }
    if (several.size() > MAX_NAMED_UNUSED) {
      notes.add(
          "and " + (several.size() - MAX_NAMED_UNUSED) + " more with more than one PDF or image");
    }
    return notes;
  }

  private static String listingSha256(List<Document> documents) {
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    for (Document document : documents) {
      for (Found file : new Found[] {document.xml(), document.pdf(), document.image()}) {
        if (file != null) {
          digest.update(
              (file.path() + '\t' + file.sizeBytes() + '\n').getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * @param broken the reason why it is unusable, or null
   * @param unreadable the unreadable part, or null
   */
  private record Result(
      Document document, int literalBytes, UnusableDocument broken, UnusableDocument unreadable) {}

  /** Reads every document once, on all processors. */
  private static Examined examine(
      Path directory, DatasetOptions options, List<Document> documents) {
    PatentStatements statements = new PatentStatements(options);
    List<Result> results =
        documents.parallelStream()
            .map(document -> examine(directory, options, statements, document))
            .toList();
    return new Examined(
        results.stream()
            .filter(one -> one.broken == null && one.unreadable == null)
            .map(Result::document)
            .toList(),
        results.stream().mapToInt(Result::literalBytes).max().orElse(0),
        results.stream().map(Result::broken).filter(Objects::nonNull).toList(),
        results.stream().map(Result::unreadable).filter(Objects::nonNull).toList());
  }

  private static Result examine(
      Path directory, DatasetOptions options, PatentStatements statements, Document document) {
    Found looked = document.xml();
    try {
      PatentRecord patent = read(directory, document, PatentXmlReader::readToTheEnd);
      for (Found companion : companions(document)) {
        looked = companion;
        if (!CompanionType.of(companion.extension()).isTypeOf(companion.in(directory))) {
          throw new PatentXmlReader.NotAPatentException(
              "has a companion that is not %s: %s"
                  .formatted(
                      CompanionType.of(companion.extension()).description(), companion.path()));
        }
      }
      return new Result(document, maxLiteralBytes(patent, statements, options), null, null);
    } catch (PatentXmlReader.NotAPatentException e) {
      UnusableDocument broken = new UnusableDocument(document.xml().path(), e.getMessage());
      return new Result(document, 0, broken, null);
    } catch (IOException e) {
      UnusableDocument unreadable =
          new UnusableDocument(looked.path(), "cannot be read: " + FilesBelow.reason(e));
      return new Result(document, 0, null, unreadable);
    }
  }

  private static List<Found> companions(Document document) {
    return Stream.of(document.pdf(), document.image()).filter(Objects::nonNull).toList();
  }

  private static int maxLiteralBytes(
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
      throws IOException, PatentXmlReader.NotAPatentException {
    if (document.xml().sizeBytes() == 0) {
      throw new PatentXmlReader.NotAPatentException("is empty");
    }
    for (Found companion : companions(document)) {
      if (companion.sizeBytes() == 0) {
        throw new PatentXmlReader.NotAPatentException("has an empty companion " + companion.path());
      }
    }
    try (InputStream in = Files.newInputStream(document.xml().in(directory))) {
      return reading.of(in);
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
    parameters.put("skip-invalid", Boolean.toString(skipsInvalid));
    parameters.put("skipped", Integer.toString(skipped.size()));
    parameters.put("spareCompanions", Integer.toString(unusedCompanions));
    parameters.put("documents", Integer.toString(documents.size()));
    parameters.put("bytes", Long.toString(totalBytes));
    parameters.put("listingSha256", listingSha256);
    options.addTo(parameters);
    return parameters;
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if the file is gone, or is no longer a patent
   */
  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    int number = (int) (index % documents.size());
    Document document = documents.get(number);
    PatentRecord patent = record(number);
    String pid = options.pid(document(patent), index);
    List<ContentStream> content = new ArrayList<>(3);
    content.add(content("FULLTEXT", "Full text", "text/xml", document.xml()));
    if (document.pdf() != null) {
      content.add(content("PDF", "Pages", CompanionType.PDF.mediaType(), document.pdf()));
    }
    if (document.image() != null) {
      String type = CompanionType.of(document.image().extension()).mediaType();
      content.add(content("IMAGE", "First page", type, document.image()));
    }
    return new ComposedObject(
        pid,
        statements.label(patent),
        content,
        statements.dublinCore(pid, patent),
        statements.relationships(patent));
  }

  private PatentRecord record(int number) {
    PatentRecord before = recent.get(number);
    if (before != null) {
      return before;
    }
    PatentRecord patent;
    try {
      patent = read(directory, documents.get(number), PatentXmlReader::read);
    } catch (PatentXmlReader.NotAPatentException e) {
      throw changed(number, e.getMessage(), e);
    } catch (IOException e) {
      throw changed(number, "cannot be read: " + FilesBelow.reason(e), e);
    }
    recent.put(number, patent);
    return patent;
  }

  private UncheckedIOException changed(int number, String reason, Exception cause) {
    String path = documents.get(number).xml().path();
    return DocumentFolder.changed(path, reason, "it was a patent", cause);
  }

  private ContentStream content(String id, String label, String mediaType, Found file) {
    return new FileContent(id, label, mediaType, file.in(directory), file.sizeBytes());
  }

  private static String document(PatentRecord patent) {
    return DatasetOptions.document(patent.documentNumber());
  }

  @Override
  public List<UnusableDocument> skipped() {
    return skipped;
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  @Override
  public Map<String, String> study() {
    return PatentStudy.VALUES;
  }

  @Override
  public long meanObjectBytes() {
    return totalBytes / documents.size();
  }

  @Override
  public int maxLiteralBytes() {
    return maxLiteralBytes;
  }
}
