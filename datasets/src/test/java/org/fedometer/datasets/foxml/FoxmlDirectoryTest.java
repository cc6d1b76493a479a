package org.fedometer.datasets.foxml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.fedometer.datasets.foxml.FoxmlText.ACTIVE;
import static org.fedometer.datasets.foxml.FoxmlText.about;
import static org.fedometer.datasets.foxml.FoxmlText.binary;
import static org.fedometer.datasets.foxml.FoxmlText.datastream;
import static org.fedometer.datasets.foxml.FoxmlText.dublinCore;
import static org.fedometer.datasets.foxml.FoxmlText.inline;
import static org.fedometer.datasets.foxml.FoxmlText.label;
import static org.fedometer.datasets.foxml.FoxmlText.located;
import static org.fedometer.datasets.foxml.FoxmlText.managed;
import static org.fedometer.datasets.foxml.FoxmlText.object;
import static org.fedometer.datasets.foxml.FoxmlText.objectWith;
import static org.fedometer.datasets.foxml.FoxmlText.relationships;
import static org.fedometer.datasets.foxml.FoxmlText.relsExt;
import static org.fedometer.datasets.foxml.FoxmlText.version;
import static org.fedometer.datasets.foxml.FoxmlText.xml;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.UnusableDataException;
import org.fedometer.datasets.UnusableDocument;
import org.fedometer.datasets.bag.BagWriter;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that are right, files that are not, and what is counted in them. */
class FoxmlDirectoryTest {

  private static final DatasetOptions OPTIONS = DatasetOptions.unlimited("again");

  /** Five of the object, six of a DC that Fedora adds, its identifier, the implicit model. */
  private static final int OF_A_BARE_OBJECT = 13;

  @TempDir private Path folder;

  @Test
  void aBagThatWasGeneratedIsReadAsTheDatasetThatItWasMadeOf() throws Exception {
    Dataset patents = Datasets.open("patents:small", DatasetOptions.unlimited("patent"));
    Path bag = folder.resolve("bag");
    BagWriter.write(patents, 0, 40, bag, done -> {});

    Dataset dataset = Datasets.open("foxml:" + bag, OPTIONS);

    assertThat(dataset.size()).isEqualTo(40);
    assertThat(dataset.pidNamespaces()).containsExactly("patent");
    Map<String, RepositoryObject> objects = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      objects.put(dataset.object(i).pid(), dataset.object(i));
    }
    for (int i = 0; i < 40; i++) {
      RepositoryObject made = patents.object(i);
      RepositoryObject read = objects.get(made.pid());
      assertThat(read.triples()).as(made.pid()).isEqualTo(made.triples());
      assertThat(read.label()).isEqualTo(made.label());
      assertThat(read.datastreamIds()).isEqualTo(made.datastreamIds());
      assertThat(read.foxmlBytes()).isEqualTo(made.foxmlBytes());
      assertThat(foxml(read)).isEqualTo(foxml(made));
      assertThat(read.content()).hasSameSizeAs(made.content());
      for (int c = 0; c < made.content().size(); c++) {
        ContentStream expected = made.content().get(c);
        ContentStream found = read.content().get(c);
        assertThat(found.id()).isEqualTo(expected.id());
        assertThat(found.mediaType()).isEqualTo(expected.mediaType());
        assertThat(found.sizeBytes()).isEqualTo(expected.sizeBytes());
        assertThat(bytes(found)).isEqualTo(bytes(expected));
      }
    }
  }

  @Test
  void newPidsReplaceOnlyThePidsOfTheObjects() throws Exception {
    Dataset patents = Datasets.open("patents:small", DatasetOptions.unlimited("patent"));
    Path bag = folder.resolve("bag");
    BagWriter.write(patents, 0, 3, bag, done -> {});

    Dataset dataset = Datasets.open("foxml:" + bag + ",pids=new", OPTIONS);

    assertThat(dataset.size()).isEqualTo(Long.MAX_VALUE);
    assertThat(dataset.pidNamespaces()).containsExactly("again");
    for (int i = 0; i < 7; i++) {
      RepositoryObject original = patents.object(i % 3);
      RepositoryObject object = dataset.object(i);
      String old = original.pid();
      String pid = "again:WO" + i % 3 + '-' + i;
      assertThat(object.pid()).isEqualTo(pid);
      String expected =
          foxml(original)
              .replace("PID=\"" + old + '"', "PID=\"" + pid + '"')
              .replace("about=\"info:fedora/" + old + '"', "about=\"info:fedora/" + pid + '"')
              .replace('>' + old + "</dc:identifier>", '>' + pid + "</dc:identifier>");
      assertThat(foxml(object)).isEqualTo(expected);
      assertThat(object.foxmlBytes()).isEqualTo(expected.getBytes(StandardCharsets.UTF_8).length);
      assertThat(object.triples()).isEqualTo(original.triples());
      assertThat(bytes(object.content().get(0))).isEqualTo(bytes(original.content().get(0)));
    }
  }

  @Test
  void aBagIsOpenedAgainFromWhatIsOnRecordOfItWithEitherPids() throws Exception {
    Dataset patents = Datasets.open("patents:small", DatasetOptions.unlimited("patent"));
    Path bag = folder.resolve("bag, with=odd name");
    BagWriter.write(patents, 0, 3, bag, done -> {});

    for (String pids : List.of("kept", "new")) {
      Dataset before = Datasets.open("foxml:" + bag + ",pids=" + pids, OPTIONS);
      Dataset again = Datasets.reopen("foxml", before.parameters());
      assertThat(again.parameters()).isEqualTo(before.parameters());
      assertThat(again.object(2).pid()).isEqualTo(before.object(2).pid());
    }
  }

  @Test
  void filesLeftOutForTheirLiteralsAreLeftOutAgainWhenItIsOpenedFromWhatIsOnRecord()
      throws Exception {
    write("a.xml", object("a:1", inline("DC", dublinCore("<dc:title>short</dc:title>"))));
    write(
        "b.xml",
        object("a:2", inline("DC", dublinCore("<dc:title>" + "x".repeat(400) + "</dc:title>"))));

    for (String pids : List.of("kept", "new")) {
      Dataset before =
          Datasets.open(
              "foxml:" + folder + ",skip-invalid=true,pids=" + pids,
              OPTIONS.withLiteralLimitBytes(255));
      assertThat(before.parameters())
          .containsEntry("skipped", "1")
          .containsEntry("literalLimitBytes", "255");
      assertThat(Datasets.reopen("foxml", before.parameters()).parameters())
          .isEqualTo(before.parameters());
    }
  }

  @Test
  void replacesEachOccurrenceOfThePid() throws Exception {
    String foxml =
        "\uFEFF"
            + object(
                "a:1",
                inline("A", "<a about=\"info:fedora/a:1\" PID=\"a:1\">\uD83D\uDE00 a:1</a>"),
                inline(
                    "DC",
                    dublinCore(
                        "<dc:identifier>\n a&#58;1 </dc:identifier><dc:identifier>a:12</dc:identifier>"
                            + "<dc:identifier xml:lang='en'><![CDATA[a:1]]></dc:identifier>"
                            + "<dc:relation>a:1</dc:relation>")),
                inline(
                    "RELS-EXT",
                    relationships(
                        "<rdf:Description  xml:lang = \"x=&gt;\"\r\n rdf:about\t='info:fedora/a&#x3A;1'>"
                            + "<r:self rdf:resource=\"info:fedora/a:1\"/></rdf:Description>")),
                inline(
                    "RELS-INT",
                    relationships(
                        about("a:1/ÄÖ", "<r:p>1</r:p>") + about("a:1/B", "<r:p>2</r:p>"))));
    write("a.xml", foxml);

    RepositoryObject object = Datasets.open("foxml:" + folder + ",pids=new", OPTIONS).object(4);

    assertThat(foxml(object))
        .isEqualTo(
            foxml
                .replace("\" PID=\"a:1\" xmlns", "\" PID=\"again:1-4\" xmlns")
                .replace("\n a&#58;1 <", "\n again:1-4 <")
                .replace("<![CDATA[a:1]]>", "again:1-4")
                .replace("'info:fedora/a&#x3A;1'", "'info:fedora/again:1-4'")
                .replace("info:fedora/a:1/", "info:fedora/again:1-4/"));
    assertThat(object.foxmlBytes())
        .isEqualTo(foxml(object).getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void aDcInBase64KeepsItsIdentifierAndGetsAnother() throws Exception {
    write(
        "a.xml",
        object(
            "a:1",
            datastream(
                "DC",
                "M",
                version("DC.0", "", binary(dublinCore("<dc:identifier>a:1</dc:identifier>"))))));

    assertThat(Datasets.open("foxml:" + folder, OPTIONS).object(0).triples()).isEqualTo(13);
    assertThat(Datasets.open("foxml:" + folder + ",pids=new", OPTIONS).object(0).triples())
        .isEqualTo(14);
  }

  static Stream<Arguments> triples() {
    return Stream.of(
        arguments("without anything", 0, new String[] {}),
        arguments("another datastream", 6, new String[] {managed("A", "x")}),
        arguments("one in another group", 6, new String[] {located("A", "R", "URL", "http://a/")}),
        arguments("AUDIT, which is none", 0, new String[] {inline("AUDIT", "<audit/>")}),
        arguments("a DC without the PID", 0, new String[] {inline("DC", dublinCore(""))}),
        arguments(
            "a DC with it in a language",
            1,
            new String[] {
              inline(
                  "DC",
                  dublinCore(
                      "<dc:identifier xml:lang='x'>a:1</dc:identifier><dc:title>t</dc:title>"))
            }),
        arguments(
            "values that are equal but for case of language and white space",
            3,
            new String[] {
              inline(
                  "DC",
                  dublinCore(
                      "<dc:title xml:lang='EN'>t</dc:title><dc:title xml:lang='en'> t</dc:title>"
                          + "<dc:title>t</dc:title><dc:title xml:lang=''>t&#10;</dc:title>"
                          + "<dc:title>T</dc:title>"))
            }),
        arguments("an empty RELS-EXT", 6, new String[] {relsExt("")}),
        arguments(
            "the implicit model said",
            6,
            new String[] {
              relsExt("<m:hasModel rdf:resource='info:fedora/fedora-system:FedoraObject-3.0'/>")
            }),
        arguments(
            "statements that differ in language",
            7,
            new String[] {relsExt("<r:p xml:lang='en'>a</r:p><r:p xml:lang='de'>a</r:p>")}),
        arguments(
            "statements that differ in datatype",
            8,
            new String[] {
              relsExt(
                  "<r:p rdf:datatype='http://www.w3.org/2001/XMLSchema#int'>1</r:p><r:p>1</r:p>")
            }),
        arguments(
            "methods of what is no service definition",
            6,
            new String[] {inline("METHODMAP", "<any/>")}),
        arguments(
            "methods of a service definition",
            6 + 1 + 6 + 2,
            new String[] {
              relsExt(
                  "<m:hasModel rdf:resource='info:fedora/fedora-system:ServiceDefinition-3.0'/>"),
              inline(
                  "METHODMAP",
                  "<MethodMap xmlns='http://fedora.comm.nsdlib.org/service/methodmap'>"
                      + "<Method operationName='a'/><Method operationName='b'/>"
                      + "<Method operationName='b'/></MethodMap>")
            }),
        arguments(
            "an older RELS-EXT that Fedora would refuse",
            7,
            new String[] {
              datastream(
                  "RELS-EXT",
                  "X",
                  version("R.0", "CREATED='2010-01-01T00:00:00Z'", xml("<nonsense/>")),
                  version(
                      "R.1",
                      "CREATED='2011-01-01T00:00:00Z'",
                      xml(relationships(about("a:1", "<r:p>x</r:p>")))))
            }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("triples")
  void triplesAreThoseThatFedoraMakes(String what, int more, String[] datastreams)
      throws Exception {
    write("a.xml", object("a:1", datastreams));

    assertThat(Datasets.open("foxml:" + folder, OPTIONS).object(0).triples())
        .isEqualTo(OF_A_BARE_OBJECT + more);
  }

  @Test
  void aLabelIsTheTitleOfTheDcThatFedoraAdds() throws Exception {
    write("a.xml", objectWith("a:1", label("a label")));

    RepositoryObject object = Datasets.open("foxml:" + folder, OPTIONS).object(0);

    assertThat(object.triples()).isEqualTo(OF_A_BARE_OBJECT + 1);
    assertThat(object.label()).isEqualTo("a label");
    assertThat(object.datastreamIds()).containsExactly("DC");
  }

  @Test
  void contentIsThatOfTheLatestVersionAsFedoraPicksIt() throws Exception {
    write(
        "a.xml",
        object(
            "a:1",
            inline("N", "<foxml:binaryContent>bm8=</foxml:binaryContent>"),
            datastream(
                "A",
                "M",
                version("A.0", "CREATED='2011-01-01T00:00:00.01Z'", binary("old")),
                version("A.1", "CREATED='2011-01-01T00:00:00.1Z'", binary("latest")),
                version("A.2", "CREATED='2011-01-01T00:00:00.100'", binary("as late"))),
            datastream(
                "B",
                "M",
                version("B.0", "CREATED='2011-01-01T00:00:00Z'", binary("old")),
                version("B.1", "", binary("now")),
                version("B.2", "CREATED='2001-01-01T00:00:00+01:00'", binary("now, too")))));

    List<ContentStream> content = Datasets.open("foxml:" + folder, OPTIONS).object(0).content();

    assertThat(content).extracting(ContentStream::id).containsExactly("A", "B");
    assertThat(bytes(content.get(0))).asString().isEqualTo("latest");
    assertThat(bytes(content.get(1))).asString().isEqualTo("now");
    assertThat(content).extracting(ContentStream::sizeBytes).containsExactly(6L, 3L);
  }

  private static String body(String object) {
    return object.substring(object.indexOf("?>") + 2);
  }

  /** Each was ingested by a real Fedora 3.8.1, which answered 201. */
  static Stream<Arguments> acceptedByFedora() {
    String dropped = "has content of a kind that its control group does not have";
    return Stream.of(
        arguments(
            object("a:1", located("A", "M", "URL", "file:/a.pdf")),
            6,
            "has managed content at a file: URL, which Fedora reads on its own host"),
        arguments(
            object("a:1", located("A", "M", "INTERNAL_ID", "http://far/fedora/get/a:1/A")),
            6,
            "has managed content in another repository"),
        arguments(object("a:1", managed("A", "x").replace("\"M\"", "\"X\"")), 0, dropped),
        arguments(object("a:1", managed("A", "x").replace("\"M\"", "\"E\"")), 0, dropped),
        arguments(object("a:1", located("A", "X", "URL", "http://a/")), 0, dropped),
        arguments(object("a:1").replace(" PID=\"a:1\"", ""), 0, "has no PID"),
        arguments(object("a:1", located("A", "E", "INTERNAL_ID", "mailto:a@b")), 6, null),
        arguments(
            object("a:1", managed("A", "x").replace("CONTROL", "VERSIONABLE=' true ' CONTROL")),
            6,
            null),
        arguments(
            object(
                "a:1",
                datastream("A", "M", version("A.0", "SIZE='9223372036854775807'", binary("x")))),
            6,
            null),
        arguments(object("a:1").replace("?>", "?><!DOCTYPE foxml:digitalObject>"), 0, null));
  }

  @ParameterizedTest
  @MethodSource("acceptedByFedora")
  void acceptsAndReportsWhatFedoraAccepts(String foxml, int more, String note) throws Exception {
    write("some/good.xml", foxml);

    Dataset dataset = Datasets.open("foxml:" + folder, OPTIONS);

    assertThat(dataset.object(0).triples()).isEqualTo(OF_A_BARE_OBJECT + more);
    if (note == null) {
      assertThat(dataset.notes()).isEmpty();
    } else {
      assertThat(dataset.notes()).singleElement().asString().startsWith("some/good.xml " + note);
    }
  }

  /** The request has a PID then, and the file is sent as it is. */
  @Test
  void filesWithoutPidGetTheRequestsPidAndAreSentAsTheyAre() throws Exception {
    String foxml = object("a:1").replace(" PID=\"a:1\"", "");
    write("a/first one.xml", foxml);
    write("b.xml", object("a:2"));
    write("c/first one.xml", foxml);

    for (String pids : List.of("kept", "new")) {
      Dataset dataset = Datasets.open("foxml:" + folder + ",pids=" + pids, OPTIONS);

      assertThat(dataset.object(0).pid()).isEqualTo("again:firstone-0");
      assertThat(foxml(dataset.object(0))).isEqualTo(foxml);
      assertThat(dataset.object(2).pid()).isEqualTo("again:firstone-2");
      assertThat(dataset.pidNamespaces()).contains("again");
      assertThat(dataset.notes())
          .singleElement()
          .asString()
          .startsWith("2 files, a/first one.xml first, have no PID");
      assertThat(Datasets.reopen("foxml", dataset.parameters()).object(2).pid())
          .isEqualTo("again:firstone-2");
    }
  }

  static Stream<Arguments> refusals() {
    String rels = "<rdf:Description rdf:about='info:fedora/a:1'";
    return Stream.of(
        arguments(object("a:1").replace("</foxml:digitalObject>", ""), "is not well-formed XML"),
        arguments("<a/><b/>", "is not FOXML: its root element is <a>"),
        arguments(object("a:1") + "<x/>", "holds several documents, split the file"),
        arguments(
            "<mets xmlns='http://www.loc.gov/METS/'/>", "is METS and not FOXML: export it as"),
        arguments("<feed xmlns='http://www.w3.org/2005/Atom'/>", "is Atom and not FOXML"),
        arguments(
            object("a:1").replace(" VERSION=\"1.1\"", ""), "is FOXML 1.0: ingest it into a Fedora"),
        arguments(
            "<objects>" + body(object("a:1")) + body(object("a:2")) + "</objects>",
            "is not FOXML: its root element is <objects>"),
        arguments(object("a:1", body(object("a:2"))), "has <digitalObject> where FOXML 1.1"),
        arguments(
            object("a:1", datastream("A", "M", version("A.0", "", binary("x") + binary("y")))),
            "has <binaryContent> where FOXML 1.1"),
        arguments(object("a:1").replace("PID=\"a:1\"", "PID=\"\""), "has an invalid PID: ''"),
        arguments(
            object("a:1", relsExt("")).replace(" PID=\"a:1\"", ""),
            "it describes no object, since the file has no PID"),
        arguments(object("a 1"), "has an invalid PID: 'a 1'"),
        arguments(object("a:" + "1".repeat(63)), "at most 64 letters"),
        arguments(object("a:%7e"), "has an invalid PID"),
        arguments(object("a:b'c"), "has an invalid PID"),
        arguments(object("a:b/c"), "has an invalid PID"),
        arguments(object("a:b?c"), "has an invalid PID"),
        arguments(object("a:b&#10;c"), "has an invalid PID"),
        arguments(object("a:\u00e4"), "has an invalid PID"),
        arguments(object("a:\u009b2J\u202e"), "has an invalid PID: 'a:\\u009b2J\\u202e'"),
        arguments(objectWith("a:1", ""), "has no object properties"),
        arguments(objectWith("a:1", ACTIVE + ACTIVE), "model#state twice"),
        arguments(objectWith("a:1", label("x".repeat(256))), "label of 256 characters"),
        arguments(
            objectWith("a:1", ACTIVE.replace("Active", "gone")), "has the object state 'gone'"),
        arguments(object("a:1", "text"), "has text where FOXML allows none"),
        arguments(object("a:1", "<a/>"), "has <a> where FOXML 1.1 does not allow it"),
        arguments(
            object("a:1", "<foxml:disseminator/>"),
            "has <disseminator> where FOXML 1.1 does not allow it"),
        arguments(object("a:1", datastream("A", "M")), "has the datastream A without a version"),
        arguments(object("a:1", managed("1", "x")), "has the ID '1', which is not an XML name"),
        arguments(object("a:1", managed("A", ""), managed("A", "x")), "without a character"),
        arguments(object("a:1", managed("A", "x"), managed("A", "x")), "has the ID A twice"),
        arguments(object("a:1", managed("A", "x").replace("\"M\"", "\"B\"")), "'B'"),
        arguments(
            object("a:1", managed("A", "x").replace("MIMETYPE=\"text/plain\"", "")),
            "has <datastreamVersion> without MIMETYPE"),
        arguments(
            object("a:1", datastream("A", "M", version("A.0", "CREATED='today'", binary("x")))),
            "CREATED that is not an xsd:dateTime: 'today'"),
        arguments(
            object("a:1", datastream("A", "M", version("A.0", "OWNER='x'", binary("x")))),
            "with an attribute OWNER, which FOXML 1.1 does not allow"),
        arguments(
            object(
                "a:1",
                datastream(
                    "A", "M", version("A.0", "LABEL='" + "x".repeat(256) + "'", binary("x")))),
            "has a label of 256 characters for A"),
        arguments(
            object("a:1", managed("A", "x").replace("eA==", "eA=")),
            "has A that is not base64: it ends within a group"),
        arguments(
            object("a:1", managed("A", "x").replace("eA==", "eB==")),
            "has A that is not base64: its unused bits"),
        arguments(
            object("a:1", managed("A", "x").replace("eA==", "e-==")),
            "has A that is not base64: it has a misplaced character '-'"),
        arguments(
            object(
                "a:1",
                datastream(
                    "A",
                    "M",
                    version(
                        "A.0",
                        "",
                        "<foxml:contentDigest TYPE=\"SHA-1\" DIGEST=\"00\"/>" + binary("x")))),
            "has A with the checksum 00, but its content has 11f6ad8ec52a2984abaafd7c3b516503785c2072"),
        arguments(
            object(
                "a:1",
                datastream(
                    "A",
                    "M",
                    version(
                        "A.0",
                        "",
                        "<foxml:contentDigest TYPE=\"TIGER\" DIGEST=\"00\"/>" + binary("x")))),
            "has A with a checksum of type TIGER, which Fedora cannot compute"),
        arguments(
            object("a:1", located("A", "M", "INTERNAL_ID", "a:1+A+A.0")),
            "has A whose content is in another repository (a:1+A+A.0): export it with"
                + " context=archive"),
        arguments(
            object("a:1", located("A", "M", "URL", "content/a.pdf")),
            "has A of control group M at 'content/a.pdf', which is not a URL that Fedora accepts"),
        arguments(
            object("a:1", located("A", "M", "URL", "ftp://h/a.pdf")),
            "from where Fedora cannot fetch it: it supports file, http, https"),
        arguments(
            object("a:1", located("A", "R", "URL", "file:/a.pdf")),
            "Fedora does not redirect to files"),
        arguments(
            object("a:1", datastream("A", "M", version("A.0", "SIZE='1e3'", binary("x")))),
            "has A with a SIZE that is not a number"),
        arguments(
            object(
                "a:1",
                datastream(
                    "A",
                    "M",
                    version("A.0", "", "<foxml:contentDigest TYPE='HAVAL'/>" + binary("x")))),
            "has A with a checksum of type HAVAL, which Fedora cannot compute"),
        arguments(
            object("a:1", located("DC", "M", "URL", "http://a/")),
            "has DC outside the file, so that its content"),
        arguments(
            object("a:1", located("RELS-EXT", "E", "URL", "http://a/")),
            "has RELS-EXT outside the file"),
        arguments(object("a:1", inline("A", "")), "has A with an empty xmlContent"),
        arguments(object("a:1", inline("A", "x<a/>")), "has A with text beside its XML"),
        arguments(object("a:1", inline("DC", "<a/><b/>")), "has DC with more than one root"),
        arguments(
            object("a:1", inline("A", "<foxml:datastream ID='B'/>")),
            "has inline XML with an invalid <datastream> of FOXML, which Fedora checks there too"),
        arguments(
            object("a:1", inline("DC", dublinCore("<dc:title xml:lang='&lt;'>x</dc:title>"))),
            "has a DC with a language that Fedora does not escape"),
        arguments(
            object("a:1", inline("DC", "<x><o:title/><o:date/></x>"))
                .replace("VERSION", "xmlns:o='urn:o' VERSION"),
            "has inline XML with the prefix o, which is declared outside of it"),
        arguments(object("a:1", relsExt("<r:p><r:q/></r:p>")), "statements are nested"),
        arguments(object("a:1", relsExt("<dc:title>t</dc:title>")), "the predicate 'http://purl"),
        arguments(object("a:1", relsExt("<v:p>t</v:p>")), "is not allowed"),
        arguments(object("a:1", relsExt("<m:label>t</m:label>")), "is not allowed"),
        arguments(object("a:1", relsExt("<m:hasModel>t</m:hasModel>")), "is not a resource"),
        arguments(object("a:1", relsExt("<r:p rdf:resource='a'/>")), "is not an absolute URI"),
        arguments(object("a:1", relsExt("<r:p rdf:resource='a b:c'/>")), "is not a URI"),
        arguments(object("a:1", relsExt("<r:p rdf:resource='a:b'>x</r:p>")), "and text"),
        arguments(object("a:1", relsExt("<r:p rdf:parseType='Literal'>x</r:p>")), "'parseType'"),
        arguments(object("a:1", relsExt("<r:p a='b'>x</r:p>")), "'a', which Fedora refuses"),
        arguments(
            object("a:1", relsExt("<r:p rdf:datatype='urn:x'>x</r:p>")), "the datatype urn:x"),
        arguments(
            object(
                "a:1",
                relsExt(
                    "<r:p rdf:datatype='http://www.w3.org/2001/XMLSchema#int'>4294967296</r:p>")),
            "'4294967296' in <p> is not a valid int"),
        arguments(
            object(
                "a:1",
                relsExt(
                    "<r:p rdf:datatype='http://www.w3.org/2001/XMLSchema#dateTime'>2011-02-29T00:00:00Z</r:p>")),
            "is not a valid dateTime"),
        arguments(
            object(
                "a:1",
                relsExt(
                    "<r:p rdf:datatype='http://www.w3.org/2001/XMLSchema#int'>7</r:p>"
                        + "<r:p rdf:datatype='http://www.w3.org/2001/XMLSchema#int'>07</r:p>")),
            "'7' and '07' of urn:x:p are equal"),
        arguments(
            object(
                "a:1",
                relsExt("<r:p rdf:resource='http://a/%7e'/><r:p rdf:resource='HTTP://A/%7E'/>")),
            "'http://a/%7e' and 'HTTP://A/%7E' of urn:x:p are equal"),
        arguments(
            objectWith("a:1", ACTIVE.replace("/>", "> </foxml:property>")),
            "<property> that is not empty"),
        arguments(
            object(
                    "a:1",
                    datastream(
                        "A",
                        "X",
                        version(
                            "A.0",
                            "",
                            "<foxml:contentDigest TYPE=\"MD5\"/>" + xml("<a o:b='c'/>"))))
                .replace("VERSION", "xmlns:o='urn:o' VERSION"),
            "has inline XML with the prefix o, which is declared outside of it"),
        arguments(
            object("a:1", inline("RELS-EXT", relationships(about("a:2", "")))),
            "it is about 'info:fedora/a:2' instead of info:fedora/a:1"),
        arguments(
            object("a:1", inline("RELS-EXT", relationships(about("a:1", "") + about("a:1", "")))),
            "more than one rdf:Description"),
        arguments(
            object("a:1", inline("RELS-EXT", relationships(rels + " r:p='x'/>"))),
            "has the attribute 'p'"),
        arguments(
            object("a:1", inline("RELS-INT", relationships(about("a:1", "")))),
            "has an invalid RELS-INT"),
        arguments(
            object(
                "a:1",
                relsExt(
                    "<m:hasModel rdf:resource='info:fedora/fedora-system:ServiceDefinition-3.0'/>"),
                inline("METHODMAP", "<none/>")),
            "is a service definition whose METHODMAP has no fmm:MethodMap"),
        arguments(
            object(
                "a:1",
                datastream(
                    "RELS-EXT",
                    "X",
                    version("R.0", "", xml(relationships(about("a:1", "")))),
                    version(
                        "R.1",
                        "CREATED='2011-01-01T00:00:00Z'",
                        xml(relationships(about("a:1", "")))))),
            "has a RELS-EXT on which Fedora fails: a version without CREATED precedes"),
        arguments("", "is empty"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void aBrokenFileIsRefusedWithItsReason(String foxml, String reason) throws Exception {
    write("good.xml", object("a:2"));
    write("some/bad.foxml", foxml);

    UnusableDataException refused =
        catchThrowableOfType(
            UnusableDataException.class, () -> Datasets.open("foxml:" + folder, OPTIONS));

    assertThat(refused).hasMessageStartingWith("1 of 2 files in " + folder + " cannot be sent");
    assertThat(refused.problems())
        .singleElement()
        .asString()
        .startsWith("some/bad.foxml ")
        .contains(reason);
    Dataset rest = Datasets.open("foxml:" + folder + ",skip-invalid=true", OPTIONS);
    assertThat(rest.size()).isEqualTo(1);
    assertThat(rest.skipped()).extracting(UnusableDocument::message).isEqualTo(refused.problems());
  }

  @Test
  void hostileXmlIsRefusedAndFetchesNothing() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret.txt"), "secret");
    String good = object("a:1", inline("DC", dublinCore("<dc:title>&x;</dc:title>")));
    String head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    assertThat(good).startsWith(head);
    Map<String, String> hostile =
        Map.of(
            "external.xml",
            good.replace(
                head, head + "<!DOCTYPE x [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]>"),
            "dtd.xml",
            good.replace(head, head + "<!DOCTYPE x SYSTEM \"" + secret.toUri() + "\">"),
            "laughs.xml",
            good.replace(
                head,
                head
                    + "<!DOCTYPE x [<!ENTITY y 'lol'><!ENTITY z '&y;&y;&y;&y;'>"
                    + "<!ENTITY x '&z;&z;&z;&z;'>]>"),
            "undeclared.xml",
            good,
            "deep.xml",
            object("a:1", inline("A", "<a>".repeat(5000) + "</a>".repeat(5000))),
            "attribute.xml",
            object("a:1", inline("A", "<a b='" + "x".repeat(600_000) + "'/>")),
            "long.xml",
            object("a:1", inline("DC", dublinCore("<dc:title>x</dc:title>".repeat(600_000)))));
    for (Map.Entry<String, String> file : hostile.entrySet()) {
      write(file.getKey(), file.getValue());
    }

    UnusableDataException refused =
        catchThrowableOfType(
            UnusableDataException.class, () -> Datasets.open("foxml:" + folder, OPTIONS));

    assertThat(refused.problems()).hasSize(hostile.size()).noneMatch(one -> one.contains("secret"));
    assertThat(refused.problems())
        .anyMatch(
            one ->
                one.startsWith(
                    "deep.xml is too large or too deep to be read: Maximum Element Depth"))
        .anyMatch(one -> one.startsWith("attribute.xml is too large or too deep to be read: "))
        .anyMatch(one -> one.startsWith("dtd.xml has a DOCTYPE"))
        .anyMatch(one -> one.startsWith("external.xml has a DOCTYPE"))
        .anyMatch(one -> one.startsWith("laughs.xml has a DOCTYPE"))
        .anyMatch(one -> one.startsWith("long.xml has DC with more than 8000000 characters"))
        .anyMatch(one -> one.startsWith("undeclared.xml uses the entity &x;"));
  }

  @Test
  void twoFilesWithOnePidAreBothNamed() throws Exception {
    write("b/one.xml", object("a:1"));
    write("a/other.xml", object("a:1"));

    assertThatThrownBy(() -> Datasets.open("foxml:" + folder, OPTIONS))
        .hasMessageContaining("b/one.xml has the PID a:1, which a/other.xml has too");
    assertThat(Datasets.open("foxml:" + folder + ",pids=new", OPTIONS).object(1).pid())
        .isEqualTo("again:1-1");
  }

  @Test
  void whatCannotHaveAnotherPidIsNamed() throws Exception {
    write("encoding.xml", object("a:1").replace("UTF-8", "ISO-8859-1"));
    Files.writeString(
        folder.resolve("utf16.xml"),
        object("a:4").replace("UTF-8", "UTF-16"),
        StandardCharsets.UTF_16);
    write(
        "checksum.xml",
        object(
            "a:2",
            datastream(
                "DC",
                "X",
                version(
                    "DC.0",
                    "",
                    "<foxml:contentDigest TYPE=\"MD5\" DIGEST=\"00\"/>"
                        + xml(dublinCore("<dc:identifier>a:2</dc:identifier>"))))));
    write(
        "base64.xml",
        object(
            "a:3",
            datastream(
                "RELS-EXT",
                "M",
                version("R.0", "", binary(relationships(about("a:3", "<r:p>x</r:p>")))))));

    assertThat(Datasets.open("foxml:" + folder, OPTIONS).size()).isEqualTo(4);
    UnusableDataException refused =
        catchThrowableOfType(
            UnusableDataException.class,
            () -> Datasets.open("foxml:" + folder + ",pids=new", OPTIONS));
    assertThat(refused.problems())
        .containsExactly(
            "base64.xml has RELS-EXT in base64, where its PID cannot be replaced (use pids=kept)",
            "checksum.xml has DC with a checksum, which another PID would make wrong (use pids=kept)",
            "encoding.xml is in ISO-8859-1: PIDs can be replaced in UTF-8 only (use"
                + " pids=kept)",
            "utf16.xml is not in UTF-8: PIDs can be replaced in UTF-8 only (use" + " pids=kept)");
  }

  @Test
  void aSubjectThatIsStatedTwiceIsRefusedBeforeARun() throws Exception {
    String twice =
        relationships("<rdf:Description rdf:about=\"info:fedora/a:1\" about=\"info:fedora/a:1\"/>");
    for (String pids : List.of("kept", "new")) {
      write("a.xml", object("a:1", inline("RELS-EXT", twice)));
      assertThatThrownBy(() -> Datasets.open("foxml:" + folder + ",pids=" + pids, OPTIONS))
          .hasMessageContaining("a.xml has an invalid RELS-EXT: ")
          .hasMessageContaining("<rdf:Description> has both rdf:about and about");
    }

    // No triples come from an earlier version, but its PID would also need to change.
    write(
        "a.xml",
        object(
            "a:1",
            datastream(
                "RELS-EXT",
                "X",
                version("R.0", "CREATED=\"2001-01-01T00:00:00Z\"", xml(twice)),
                version(
                    "R.1",
                    "CREATED=\"2002-01-01T00:00:00Z\"",
                    xml(relationships(about("a:1", "<r:p>x</r:p>")))))));
    assertThat(Datasets.open("foxml:" + folder, OPTIONS).size()).isOne();
    assertThatThrownBy(() -> Datasets.open("foxml:" + folder + ",pids=new", OPTIONS))
        .hasMessageContaining("a.xml has its PID in an attribute about, where it cannot be")
        .hasMessageContaining("use pids=kept");
  }

  @Test
  void aSubjectOfAnEarlierVersionThatIsWrittenEscapedIsRefusedBeforeARun() throws Exception {
    write(
        "a.xml",
        object(
            "a:1",
            datastream(
                "RELS-INT",
                "X",
                version(
                    "R.0",
                    "CREATED=\"2001-01-01T00:00:00Z\"",
                    xml(relationships(about("a:1/x&amp;y", "<r:p>x</r:p>")))),
                version(
                    "R.1",
                    "CREATED=\"2002-01-01T00:00:00Z\"",
                    xml(relationships(about("a:1/A", "<r:p>x</r:p>")))))));

    assertThat(Datasets.open("foxml:" + folder, OPTIONS).size()).isOne();
    assertThatThrownBy(() -> Datasets.open("foxml:" + folder + ",pids=new", OPTIONS))
        .hasMessageContaining(
            "a.xml has a RELS-INT about 'info:fedora/a:1/x&y', whose PID cannot be replaced"
                + " (use pids=kept)");
  }

  @Test
  void parametersDescribeTheDataset() throws Exception {
    write("1.xml", object("a:1", managed("A", "four"), inline("B", "<b/>"), managed("C", "xx")));
    write(
        "2.foxml",
        object(
            "b:2", located("A", "E", "URL", "http://a/"), located("B", "R", "URL", "http://a/")));
    write("sub/3.XML", object("c.d:3", located("A", "M", "URL", "https://a/")));
    write(".hidden/4.xml", "<");
    write("readme.txt", "<");

    Dataset dataset = Datasets.open("foxml:" + folder, OPTIONS);

    assertThat(dataset.parameters())
        .containsEntry("dir", folder.toString())
        .containsEntry("files", "3")
        .containsEntry("skipped", "0")
        .containsEntry("pids", "kept")
        .containsEntry("inline", "1")
        .containsEntry("managed", "2")
        .containsEntry("managedByUrl", "1")
        .containsEntry("external", "1")
        .containsEntry("redirected", "1")
        .doesNotContainKey("pidNamespace")
        .hasEntrySatisfying("listingSha256", sum -> assertThat(sum).matches("[0-9a-f]{64}"));
    assertThat(dataset.pidNamespaces()).containsExactlyInAnyOrder("a", "b", "c.d");
    assertThat(dataset.meanObjectBytes())
        .isEqualTo(Long.parseLong(dataset.parameters().get("bytes")) / 3);
    assertThat(dataset.size()).isEqualTo(3);
    assertThatThrownBy(() -> dataset.object(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dataset foxml has 3 objects, numbered from 0; there is no object 3");
    assertThat(Datasets.open("foxml:" + folder + ",pids=new", OPTIONS).parameters())
        .containsEntry("pids", "new")
        .containsEntry("pidNamespace", "again")
        .containsEntry("pidForm", "named");
  }

  @Test
  void aLiteralThatTheTriplestoreWouldLoseIsNamed() throws Exception {
    write(
        "a.xml",
        object(
            "a:1",
            inline("DC", dublinCore("<dc:title xml:lang='en'>" + "é".repeat(50) + "</dc:title>"))));

    assertThat(Datasets.open("foxml:" + folder, OPTIONS).maxLiteralBytes())
        .isEqualTo(2 + 6 * 50 + 3);
    assertThatThrownBy(() -> Datasets.open("foxml:" + folder, OPTIONS.withLiteralLimitBytes(304)))
        .hasMessageContaining("a.xml has a literal or URI of 305 bytes")
        .hasMessageContaining("the triplestore keeps at most 304");
  }

  @Test
  void whatCannotBeReadIsNeverLeftOut() throws Exception {
    write("a.xml", object("a:1"));
    Files.createSymbolicLink(folder.resolve("lost"), folder.resolve("nowhere"));

    assertThatThrownBy(() -> Datasets.open("foxml:" + folder + ",skip-invalid=true", OPTIONS))
        .hasMessageStartingWith("1 file in " + folder + " cannot be read (")
        .hasMessageContaining("lost cannot be read: the target of the link does not exist");
  }

  @Test
  void withoutSkippingWhatIsBrokenIsNamedBesideWhatCannotBeRead() throws Exception {
    write("a.xml", object("a:1"));
    write("b.xml", "<html/>");
    write("c.xml", object("a:1"));
    Files.createSymbolicLink(folder.resolve("lost"), folder.resolve("nowhere"));

    UnusableDataException refused =
        catchThrowableOfType(
            UnusableDataException.class, () -> Datasets.open("foxml:" + folder, OPTIONS));
    assertThat(refused).hasMessageContaining("only broken files), and 2 cannot be sent to Fedora");
    assertThat(refused.problems())
        .containsExactly(
            "lost cannot be read: the target of the link does not exist",
            "b.xml is not FOXML: its root element is <html>",
            "c.xml has the PID a:1, which a.xml has too");
    assertThatThrownBy(() -> Datasets.open("foxml:" + folder + ",skip-invalid=true", OPTIONS))
        .isInstanceOfSatisfying(
            UnusableDataException.class, e -> assertThat(e.problems()).hasSize(1));
  }

  @Test
  void aDirectoryHasToBeThereAndToHaveFoxml() {
    assertThatThrownBy(() -> Datasets.open("foxml", OPTIONS))
        .hasMessageContaining("needs a directory");
    assertThatThrownBy(() -> Datasets.open("foxml:" + folder.resolve("none"), OPTIONS))
        .hasMessageContaining("no such directory");
    assertThatThrownBy(() -> Datasets.open("foxml:" + folder, OPTIONS))
        .hasMessageContaining("there is no file named *.xml or *.foxml");
    assertThatThrownBy(() -> Datasets.open("foxml:" + folder + ",pids=old", OPTIONS))
        .hasMessageContaining("it can be: kept, new");
  }

  @Test
  void aFileThatChangedIsNamed() throws Exception {
    write("a.xml", object("a:1", managed("A", "one")));
    Dataset dataset = Datasets.open("foxml:" + folder, OPTIONS);
    write("a.xml", object("a:2", managed("A", "one")));

    assertThatThrownBy(() -> dataset.object(0))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("a.xml has the PID a:2; it was valid");

    write("a.xml", object("a:1", managed("A", "one")));
    RepositoryObject object = dataset.object(0);
    write("a.xml", object("a:1"));
    assertThatThrownBy(() -> bytes(object.content().get(0)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.xml has changed since the dataset was opened, in A");
    assertThatThrownBy(() -> foxml(object)).hasMessageContaining("did the file change");
  }

  /** Checks the cause, which the command line prints. */
  @Test
  void aFileThatIsGoneIsNamedSoThatItSteersNoTerminal() throws Exception {
    write("a\u001b[2J.xml", object("a:1"));
    for (String pids : List.of("kept", "new")) {
      Dataset dataset = Datasets.open("foxml:" + folder + ",pids=" + pids, OPTIONS);
      dataset.object(0);
      Dataset fresh = Datasets.open("foxml:" + folder + ",pids=" + pids, OPTIONS);
      Files.delete(folder.resolve("a\u001b[2J.xml"));

      assertThatThrownBy(() -> fresh.object(0))
          .isInstanceOf(UncheckedIOException.class)
          .cause()
          .hasMessage(
              "a\\u001b[2J.xml cannot be read: it no longer exists; it was valid when the dataset was"
                  + " opened");
      if (pids.equals("new")) {
        // Its statements are still known, its bytes are not.
        assertThatThrownBy(() -> dataset.object(0))
            .cause()
            .hasMessageStartingWith("a\\u001b[2J.xml cannot be read: it no longer exists;");
      }
      write("a\u001b[2J.xml", object("a:1"));
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String foxml(RepositoryObject object) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    object.writeFoxml(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ContentStream content) throws IOException {
    try (InputStream in = content.open()) {
      return in.readAllBytes();
    }
  }
}
