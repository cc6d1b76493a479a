package org.fedometer.datasets.foxml;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DocumentFolder;
import org.fedometer.datasets.FilesBelow;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.RecentDocuments;
import org.fedometer.datasets.UnusableDocument;

/**
 * FOXML 1.1 files from a directory and its subfolders, in the order of their paths, sent to Fedora
 * unchanged. With their own PIDs, the dataset ends with the last file. With PIDs of the run's
 * namespace, it then starts again, and a file is changed only where it states its object's own PID.
 *
 * <p>Opening reads every file. A file that Fedora would refuse is thus reported before a run of
 * days begins, or left out if the user requested it. Path, size and PID stay in memory, about 170
 * bytes a file; the rest is read again when an object is made. Workers share one instance.
 */
public final class FoxmlDirectory implements Dataset {

  public static final String NAME = "foxml";

  private static final Parameter<Pids> PIDS =
      Parameter.choice(
          "pids",
          "whether objects keep the PIDs of their files or get new ones",
          Pids.class,
          Pids.KEPT);

  public static final DatasetKind KIND =
      new DatasetKind(
          NAME,
          "your own FOXML 1.1 files, sent as they are",
          List.of(DocumentFolder.DIRECTORY, DocumentFolder.SKIP_BAD, PIDS));

  private static final Set<String> EXTENSIONS = Set.of("xml", "foxml");

  private final Path directory;
  private final DatasetOptions options;
  private final Pids pids;
  private final boolean skipsInvalid;
  private final List<Entry> entries;
  private final List<UnusableDocument> skipped;
  private final Map<FoxmlDocument.Source, Long> datastreams;
  private final int maxLiteralBytes;
  private final String listingSha256;
  private final List<String> notes;
  private final RecentDocuments<FoxmlDocument> recent = new RecentDocuments<>();

  private enum Pids {
    KEPT,
    NEW
  }

  /**
   * A usable file, with one object less in memory than the walk's result.
   *
   * @param exact the walk's value, null for most files
   * @param pid the PID, null if the file has none
   */
  private record Entry(String path, long sizeBytes, Path exact, String pid) {

    String document() {
      String name = path.substring(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
      return DatasetOptions.document(pid == null ? name : pid.substring(pid.indexOf(':') + 1));
    }

    Path in(Path directory) {
      return new FilesBelow.Found(path, sizeBytes, exact).in(directory);
    }
  }

  /**
   * @param bad the reason why it is unusable, or null
   * @param unreadable the reason why it is unreadable, or null
   */
  private record Result(
      Entry entry,
      Map<FoxmlDocument.Source, Long> datastreams,
      int maxLiteralBytes,
      Set<FoxmlWarning> warnings,
      UnusableDocument bad,
      UnusableDocument unreadable) {

    static Result bad(FilesBelow.Found file, String reason) {
      return new Result(
          null, Map.of(), 0, Set.of(), new UnusableDocument(file.path(), reason), null);
    }
  }

  private FoxmlDirectory(
      Path directory,
      DatasetOptions options,
      Pids pids,
      boolean skipsInvalid,
      List<Result> good,
      List<UnusableDocument> skipped) {
    this.directory = directory;
    this.options = options;
    this.pids = pids;
    this.skipsInvalid = skipsInvalid;
    this.entries = good.stream().map(Result::entry).toList();
    this.skipped = List.copyOf(skipped);
    this.datastreams = new EnumMap<>(FoxmlDocument.Source.class);
    for (FoxmlDocument.Source source : FoxmlDocument.Source.values()) {
      datastreams.put(
          source, good.stream().mapToLong(one -> one.datastreams.getOrDefault(source, 0L)).sum());
    }
    this.maxLiteralBytes = good.stream().mapToInt(Result::maxLiteralBytes).max().orElse(0);
    this.listingSha256 = listingSha256(entries);
    this.notes = notes(good);
  }

  /**
   * @param text the directory; {@code skip-invalid=true} leaves out unusable files, {@code
   *     pids=new} gives objects PIDs of the run's namespace
   * @throws UnusableDataException if it is missing, has no FOXML in it, something unreadable, or an
   *     unusable file, unless those are to be skipped
   */
  public static FoxmlDirectory open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parseWithPath(KIND, text);
    Pids pids = parameters.value(PIDS);
    DocumentFolder folder = DocumentFolder.open(NAME, parameters, "sent to Fedora");
    Path directory = folder.directory();
    FilesBelow files = FilesBelow.in(directory, EXTENSIONS);
    List<Result> results =
        files.files().parallelStream()
            .map(file -> examine(directory, file, pids, options))
            .toList();
    List<Result> good = new ArrayList<>(results.size());
    List<UnusableDocument> bad = new ArrayList<>();
    Map<String, String> paths = new HashMap<>();
    for (Result result : results) {
      if (result.unreadable != null) {
        continue;
      }
      String other =
          result.bad == null && pids == Pids.KEPT && result.entry.pid != null
              ? paths.putIfAbsent(result.entry.pid, result.entry.path())
              : null;
      if (result.bad != null) {
        bad.add(result.bad);
      } else if (other != null) {
        bad.add(
            new UnusableDocument(
                result.entry.path(),
                "has the PID %s, which %s has too".formatted(result.entry.pid, other)));
      } else {
        good.add(result);
      }
    }
    folder.requireReadable(
        files, results.stream().map(Result::unreadable).filter(Objects::nonNull).toList(), bad);
    folder.requireUsable("*.xml or *.foxml", results.size(), bad);
    return new FoxmlDirectory(directory, options, pids, folder.skipsInvalid(), good, bad);
  }

  private static Result examine(
      Path directory, FilesBelow.Found file, Pids pids, DatasetOptions options) {
    if (file.sizeBytes() == 0) {
      return Result.bad(file, "is empty");
    }
    FoxmlDocument document;
    try (InputStream in = Files.newInputStream(file.in(directory))) {
      document =
          FoxmlReader.read(
              in,
              pids == Pids.NEW
                  ? FoxmlReader.Mode.NEW_PID_THOROUGHLY
                  : FoxmlReader.Mode.AS_IT_IS_THOROUGHLY);
      if (pids == Pids.NEW) {
        // Refuses files here instead of during a run.
        PidPlaces.of(file.in(directory), file.sizeBytes(), document.pidOccurrences());
      }
    } catch (UnusableFoxmlException e) {
      return Result.bad(file, e.getMessage());
    } catch (IOException e) {
      return new Result(
          null,
          Map.of(),
          0,
          Set.of(),
          null,
          new UnusableDocument(file.path(), "cannot be read: " + FilesBelow.reason(e)));
    }
    if (document.maxLiteralBytes() > options.literalLimitBytes()) {
      return Result.bad(
          file,
          "has a literal or URI of %d bytes; the triplestore keeps at most %d"
              .formatted(document.maxLiteralBytes(), options.literalLimitBytes()));
    }
    Map<FoxmlDocument.Source, Long> datastreams = new EnumMap<>(FoxmlDocument.Source.class);
    for (FoxmlDocument.Datastream datastream : document.datastreams()) {
      datastreams.merge(datastream.source(), 1L, Long::sum);
    }
    return new Result(
        new Entry(file.path(), file.sizeBytes(), file.exact(), document.pid()),
        datastreams,
        document.maxLiteralBytes(),
        document.warnings(),
        null,
        null);
  }

  private static List<String> notes(List<Result> good) {
    List<String> notes = new ArrayList<>();
    for (FoxmlWarning warning : FoxmlWarning.values()) {
      List<Entry> files =
          good.stream().filter(one -> one.warnings.contains(warning)).map(Result::entry).toList();
      if (!files.isEmpty()) {
        String which =
            files.size() == 1
                ? files.get(0).path() + " has "
                : "%d files, %s first, have ".formatted(files.size(), files.get(0).path());
        notes.add(UnusableDocument.escaped(which + warning.text()));
      }
    }
    return notes;
  }

  private static String listingSha256(List<Entry> entries) {
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    for (Entry entry : entries) {
      digest.update(
          (entry.path() + '\t' + entry.sizeBytes() + '\n').getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(digest.digest());
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
    parameters.put("files", Integer.toString(entries.size()));
    parameters.put("bytes", Long.toString(fileBytes()));
    parameters.put("listingSha256", listingSha256);
    datastreams.forEach(
        (source, count) -> parameters.put(source.parameter(), Long.toString(count)));
    parameters.put("pids", Parameters.kebab(pids));
    if (makesPids()) {
      parameters.put("pidNamespace", options.pidNamespace());
      parameters.put("pidForm", options.pidForm().toString());
    }
    // It determines which files are left out.
    options.addLiteralLimitTo(parameters);
    return parameters;
  }

  private boolean makesPids() {
    return pids == Pids.NEW || entries.stream().anyMatch(entry -> entry.pid == null);
  }

  private long fileBytes() {
    return entries.stream().mapToLong(Entry::sizeBytes).sum();
  }

  @Override
  public long size() {
    return pids == Pids.KEPT ? entries.size() : Long.MAX_VALUE;
  }

  @Override
  public Set<String> pidNamespaces() {
    if (pids == Pids.NEW) {
      return Set.of(options.pidNamespace());
    }
    Set<String> namespaces = new TreeSet<>();
    for (Entry entry : entries) {
      namespaces.add(
          entry.pid == null
              ? options.pidNamespace()
              : entry.pid.substring(0, entry.pid.indexOf(':')));
    }
    return namespaces;
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if the file is gone or has changed
   */
  @Override
  public PackagedObject object(long index) {
    requireObject(index);
    int number = (int) (index % entries.size());
    Entry entry = entries.get(number);
    FoxmlDocument document = document(number);
    try {
      return pids == Pids.KEPT
          ? unchanged(
              entry.pid == null ? options.pid(entry.document(), index) : entry.pid, entry, document)
          : withNewPid(options.pid(entry.document(), index), entry, document);
    } catch (UnusableFoxmlException e) {
      throw changed(entry, e.getMessage(), e);
    } catch (IOException e) {
      throw changed(entry, "cannot be read: " + FilesBelow.reason(e), e);
    }
  }

  private static UncheckedIOException changed(Entry entry, String reason, Exception cause) {
    return DocumentFolder.changed(entry.path(), reason, "it was valid", cause);
  }

  private PackagedObject unchanged(String pid, Entry entry, FoxmlDocument document) {
    Path file = entry.in(directory);
    return packaged(
        pid,
        document,
        file,
        document.triples(),
        entry.sizeBytes(),
        () -> Files.newInputStream(file));
  }

  private PackagedObject withNewPid(String pid, Entry entry, FoxmlDocument document)
      throws IOException, UnusableFoxmlException {
    Path file = entry.in(directory);
    PidPlaces places = PidPlaces.of(file, entry.sizeBytes(), document.pidOccurrences());
    return packaged(
        pid,
        document,
        file,
        // Fedora adds the new one to a DC with the old one.
        document.triples() + (document.hasFixedIdentifier() ? 1 : 0),
        places.sizeBytes(pid),
        () -> places.open(pid));
  }

  private static PackagedObject packaged(
      String pid,
      FoxmlDocument document,
      Path file,
      int triples,
      long foxmlBytes,
      PackagedObject.Foxml foxml) {
    List<ContentStream> content = new ArrayList<>();
    Set<String> ids = new LinkedHashSet<>();
    for (FoxmlDocument.Datastream datastream : document.datastreams()) {
      ids.add(datastream.id());
      if (datastream.source() == FoxmlDocument.Source.MANAGED && isReadBack(datastream.id())) {
        content.add(
            new BinaryContent(
                datastream.id(),
                datastream.label(),
                datastream.mediaType(),
                datastream.sizeBytes(),
                file,
                datastream.binary(),
                datastream.text()));
      }
    }
    ids.add("DC");
    return new PackagedObject(pid, document.label(), content, ids, triples, foxmlBytes, foxml);
  }

  /**
   * Returns whether the content can be verified: Fedora rewrites DC, and cannot find names outside
   * ASCII by their address.
   */
  private static boolean isReadBack(String id) {
    return !id.equals("DC") && id.chars().allMatch(c -> c < 0x80);
  }

  private FoxmlDocument document(int number) {
    FoxmlDocument before = recent.get(number);
    if (before != null) {
      return before;
    }
    Entry entry = entries.get(number);
    FoxmlDocument document;
    try (InputStream in = Files.newInputStream(entry.in(directory))) {
      document =
          FoxmlReader.read(
              in, pids == Pids.NEW ? FoxmlReader.Mode.NEW_PID : FoxmlReader.Mode.AS_IT_IS);
      if (!Objects.equals(document.pid(), entry.pid)) {
        throw new UnusableFoxmlException(
            document.pid() == null ? "has no PID" : "has the PID " + document.pid());
      }
    } catch (UnusableFoxmlException e) {
      throw changed(entry, e.getMessage(), e);
    } catch (IOException e) {
      throw changed(entry, "cannot be read: " + FilesBelow.reason(e), e);
    }
    recent.put(number, document);
    return document;
  }

  @Override
  public List<UnusableDocument> skipped() {
    return skipped;
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  /** Returns the mean size of files, since Fedora also stores inline XML and earlier versions. */
  @Override
  public long meanObjectBytes() {
    return fileBytes() / entries.size();
  }

  @Override
  public int maxLiteralBytes() {
    return maxLiteralBytes;
  }
}
