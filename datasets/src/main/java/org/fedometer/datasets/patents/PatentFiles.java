package org.fedometer.datasets.patents;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fedometer.datasets.FilesBelow;
import org.fedometer.datasets.FilesBelow.Found;

/**
 * The files below a directory, by the type in their names. Used by the thread that opens a dataset.
 */
final class PatentFiles {

  private static final String XML = "xml";
  private static final Set<String> EXTENSIONS =
      Stream.concat(Stream.of(XML), CompanionType.EXTENSIONS.stream())
          .collect(Collectors.toUnmodifiableSet());

  /** Order that selects one of several companions, independent of the order in the directory. */
  private static final Comparator<Found> COMPANIONS =
      Comparator.comparing((Found found) -> !isLowerCase(found.extension()))
          .thenComparing(
              found -> CompanionType.EXTENSIONS.indexOf(found.extension().toLowerCase(Locale.ROOT)))
          .thenComparing(Found::path)
          .thenComparing(Found::distinctPath);

  private final FilesBelow below;
  private final List<Found> xml = new ArrayList<>();
  private final Map<String, List<Found>> pdfs = new HashMap<>();
  private final Map<String, List<Found>> images = new HashMap<>();

  /** One document; missing companions are null. */
  record Document(Found xml, Found pdf, Found image) {

    long sizeBytes() {
      return xml.sizeBytes()
          + (pdf == null ? 0 : pdf.sizeBytes())
          + (image == null ? 0 : image.sizeBytes());
    }
  }

  PatentFiles(FilesBelow below) {
    this.below = below;
    for (Found found : below.files()) {
      if (found.extension().equalsIgnoreCase(XML)) {
        xml.add(found);
      } else {
        (CompanionType.of(found.extension()) == CompanionType.PDF ? pdfs : images)
            .computeIfAbsent(base(found), base -> new ArrayList<>(1))
            .add(found);
      }
    }
  }

  /** Traverses a directory and its subfolders, following links. */
  static PatentFiles below(Path directory) {
    return new PatentFiles(FilesBelow.in(directory, EXTENSIONS));
  }

  /** Returns the documents by path. */
  List<Document> documents() {
    return xml.stream()
        .map(
            found ->
                new Document(
                    found, preferred(pdfs.get(base(found))), preferred(images.get(base(found)))))
        .toList();
  }

  private static Found preferred(List<Found> companions) {
    return companions == null ? null : companions.stream().min(COMPANIONS).orElseThrow();
  }

  /** Returns PDFs and images next to the document that are not selected. */
  List<Found> unusedCompanions(Document document) {
    List<Found> spare = new ArrayList<>();
    for (Map<String, List<Found>> companions : List.of(pdfs, images)) {
      companions.getOrDefault(base(document.xml), List.of()).stream()
          .sorted(COMPANIONS)
          .skip(1)
          .forEach(spare::add);
    }
    return spare;
  }

  FilesBelow below() {
    return below;
  }

  private static String base(Found found) {
    String path = found.distinctPath();
    return path.substring(0, path.lastIndexOf('.'));
  }

  private static boolean isLowerCase(String extension) {
    return extension.equals(extension.toLowerCase(Locale.ROOT));
  }
}
