package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.FedoraRules;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.content.GeneratedContent;
import org.fedometer.datasets.content.PageBands;
import org.fedometer.datasets.content.RenderedPdf;
import org.fedometer.datasets.content.ScannedPdf;
import org.fedometer.datasets.content.ScannedTiff;
import org.fedometer.datasets.content.Segments;
import org.fedometer.datasets.random.StableRandom;

/**
 * Generated patents: millions of objects like those of the study, from a seed. Workers share one
 * instance; object <i>i</i> takes its random numbers from (seed, <i>i</i>) alone.
 */
public final class Patents implements Dataset {

  public static final String NAME = "patents";

  private static final Parameter<Scale> SCALE =
      Parameter.choice(
          "scale", "how large the files are, and whether there are PDFs", Scale.class, Scale.PAPER);
  private static final Parameter<Long> SEED = Parameter.seed();
  private static final Parameter<DublinCoreForm> DUBLIN_CORE =
      Parameter.choice(
          "dc",
          "whether objects have a Dublin Core record each or the study's one",
          DublinCoreForm.class,
          DublinCoreForm.PER_OBJECT);
  private static final Parameter<Boolean> REAL_PDF =
      Parameter.flag("real-pdf", "whether each PDF is rendered, with text to search", false);

  public static final DatasetKind KIND =
      new DatasetKind(
          NAME,
          "generated patents, as the FIZ study had them",
          List.of(SCALE, SEED, DUBLIN_CORE, REAL_PDF));

  /** Triples of an object with no content, ten Dublin Core values and no relationship. */
  private static final int TRIPLES_WITHOUT_CONTENT = 28;

  private static final double TRIPLES_MEAN = 54;
  private static final int MAX_TRIPLES = 69;

  /**
   * A record of only metadata may have no statements; one with pages has at least those about its
   * type and number.
   */
  private static final int[] MIN_RELATIONSHIPS = {0, 4, 4};

  /** Hardly any abstract is longer; a fixed limit allows planning. */
  private static final int MAX_LITERAL_BYTES = 2048;

  private static final int OBJECT_STREAM = 1;
  private static final int XML_STREAM = 2;
  private static final int PDF_STREAM = 3;
  private static final int IMAGE_STREAM = 4;

  private final Scale scale;
  private final long seed;
  private final DatasetOptions options;
  private final TextPool pool;
  private final PatentGenerator generator;
  private final PatentXml xml;
  private final PatentStatements statements;
  private final PageBands bands;
  private final DublinCoreForm dublinCore;
  private final boolean rendersPdf;
  private final PdfMaker pdf;
  private final ScannedTiff tiff;
  private final RelationshipCounts[] relationshipCounts = new RelationshipCounts[3];

  @FunctionalInterface
  private interface PdfMaker {
    Segments write(String pid, PatentDraft draft, int sizeBytes, StableRandom random);
  }

  private Patents(
      Scale scale,
      long seed,
      DublinCoreForm dublinCore,
      boolean rendersPdf,
      DatasetOptions options) {
    this.scale = scale;
    this.seed = seed;
    this.dublinCore = dublinCore;
    if (rendersPdf) {
      RenderedPdf.checkJava();
    }
    this.rendersPdf = rendersPdf;
    this.options = options;
    this.pool = TextPool.make(seed, scale.textPoolBytes);
    this.generator = new PatentGenerator(pool);
    this.xml = new PatentXml(pool);
    this.statements =
        new PatentStatements(options.withLiteralLimitBytes(longestLiteralBytes(options)));
    this.bands = scale.pageSizes == null ? null : PageBands.make(seed);
    this.pdf = bands == null ? null : pdfMaker(rendersPdf);
    this.tiff = bands == null ? null : new ScannedTiff(bands);
    double mean = meanRelationships(scale);
    for (int i = 0; i < relationshipCounts.length; i++) {
      int max =
          MAX_TRIPLES - TRIPLES_WITHOUT_CONTENT - FedoraRules.TRIPLES_OF_A_DATASTREAM * (i + 1);
      relationshipCounts[i] = new RelationshipCounts(MIN_RELATIONSHIPS[i], max, mean);
    }
  }

  private PdfMaker pdfMaker(boolean rendered) {
    if (!rendered) {
      ScannedPdf scanned = new ScannedPdf(bands);
      return (pid, draft, sizeBytes, random) -> scanned.write(pid, sizeBytes, random);
    }
    RenderedPdf real = new RenderedPdf(bands);
    FrontPage frontPage = new FrontPage(pool);
    return (pid, draft, sizeBytes, random) ->
        real.write(pid, frontPage.paragraphs(draft, sizeBytes), sizeBytes, random);
  }

  /** Returns the mean that gives the correct mean of triples. */
  private static double meanRelationships(Scale scale) {
    double contentMean = 0;
    for (int i = 0; i < scale.contentShares.length; i++) {
      contentMean += scale.contentShares[i] * (i + 1);
    }
    return TRIPLES_MEAN
        - TRIPLES_WITHOUT_CONTENT
        - FedoraRules.TRIPLES_OF_A_DATASTREAM * contentMean;
  }

  /**
   * @throws IllegalArgumentException if a parameter is unknown or malformed, or PDFs cannot be
   *     rendered with this Java
   */
  public static Patents open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parse(KIND, text);
    return new Patents(
        parameters.value(SCALE),
        parameters.value(SEED),
        parameters.value(DUBLIN_CORE),
        parameters.value(REAL_PDF),
        options);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("scale", Parameters.kebab(scale));
    parameters.put("seed", Long.toString(seed));
    parameters.put("dc", Parameters.kebab(dublinCore));
    parameters.put("real-pdf", Boolean.toString(rendersPdf));
    parameters.put("textPoolSha256", pool.sha256());
    if (bands != null) {
      parameters.put("pagePoolSha256", bands.sha256());
    }
    if (rendersPdf) {
      parameters.put("pdfBoxVersion", RenderedPdf.libraryVersion());
    }
    options.addTo(parameters);
    return parameters;
  }

  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    StableRandom random = StableRandom.of(seed, OBJECT_STREAM, index);
    int contentCount = contentCount(random);
    int relationshipCount = relationshipCounts[contentCount - 1].next(random);
    TextPool.Topic topic = pool.topic(random);
    PatentDraft draft = generator.generate(index, topic, relationshipCount, random);
    PatentRecord patent = draft.patent();
    String pid = options.pid("WO", index);
    List<Relationship> relationships = statements.relationships(patent);
    return new ComposedObject(
        pid,
        statements.label(patent),
        content(index, pid, contentCount, draft, random),
        dublinCore == DublinCoreForm.SAME
            ? statements.sameDublinCore(pid)
            : statements.studyDublinCore(pid, patent),
        relationships.subList(0, relationshipCount));
  }

  private int contentCount(StableRandom random) {
    double share = random.nextOpen();
    if (share < scale.contentShares[0]) {
      return 1;
    }
    return share < scale.contentShares[0] + scale.contentShares[1] ? 2 : 3;
  }

  private List<ContentStream> content(
      long index, String pid, int count, PatentDraft draft, StableRandom random) {
    List<ContentStream> content = new ArrayList<>(count);
    int xmlBytes = scale.xmlSizes.next(random);
    content.add(
        new GeneratedContent(
            "FULLTEXT",
            "Full text",
            "text/xml",
            xmlBytes,
            () -> xml.write(draft, xmlBytes, stream(XML_STREAM, index))));
    boolean imageOnly = count == 2 && random.nextChance(0.5);
    if (count > 1 && !imageOnly) {
      int pdfBytes = scale.pageSizes.next(random);
      content.add(
          new GeneratedContent(
              "PDF",
              rendersPdf ? "Pages" : "Scanned pages",
              "application/pdf",
              pdfBytes,
              () -> pdf.write(pid, draft, pdfBytes, stream(PDF_STREAM, index))));
    }
    if (count == 3 || imageOnly) {
      int imageBytes = scale.pageSizes.next(random);
      content.add(
          new GeneratedContent(
              "IMAGE",
              "First page",
              "image/tiff",
              imageBytes,
              () -> tiff.write(pid, imageBytes, stream(IMAGE_STREAM, index))));
    }
    return content;
  }

  private StableRandom stream(int stream, long index) {
    return StableRandom.of(seed, stream, index);
  }

  @Override
  public Map<String, String> study() {
    return scale == Scale.SMALL ? PatentStudy.ofShortDocuments() : PatentStudy.VALUES;
  }

  @Override
  public long meanObjectBytes() {
    double mean = scale.xmlSizes.meanBytes();
    if (scale.pageSizes != null) {
      double pageFiles = scale.contentShares[1] + 2 * scale.contentShares[2];
      mean += pageFiles * scale.pageSizes.meanBytes();
    }
    return Math.round(mean);
  }

  @Override
  public int maxLiteralBytes() {
    return longestLiteralBytes(options);
  }

  private static int longestLiteralBytes(DatasetOptions options) {
    return Math.min(options.literalLimitBytes(), MAX_LITERAL_BYTES);
  }
}
