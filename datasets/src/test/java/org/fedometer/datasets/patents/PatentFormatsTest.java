package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Documents of every format, made up after the offices' element names: what no real document at
 * hand shows, and all formats where there are no real ones. {@link RealPatentsTest} has the latter.
 */
class PatentFormatsTest {

  /** The data of most of these documents, in their different forms. */
  private static final PatentRecord LID =
      new PatentRecord(
          "US",
          "07000001",
          "B2",
          "20060214",
          "10123456",
          "20040105",
          "en",
          "Lid & pot",
          "A lid that fits.",
          List.of("Doe, Jo Ann", "Roe, Ray"),
          List.of("Pots Ltd."),
          List.of("A47J36/06", "B65D43/02"),
          List.of(
              new PatentRecord.Citation("US", "4123456", "A"),
              new PatentRecord.Citation("DE", "2900001", "")));

  /** ICE 4.0 to 4.2: inventors are applicants of a kind. */
  @ParameterizedTest
  @ValueSource(strings = {"v40 2004-12-02", "v4.1 2005-08-25", "v4.2 2006-08-23"})
  void aGrantUpToIce42IsRead(String version) throws Exception {
    PatentRecord read =
        read(
            """
            <us-patent-grant lang="EN" dtd-version="%s" country="US">
            <us-bibliographic-data-grant>
            %s
            <invention-title id="d0e43">Lid &amp; pot</invention-title>
            <references-cited>
            <citation><patcit num="00001"><document-id><country>US</country>
            <doc-number>4123456</doc-number><kind>A</kind><name>Poe</name></document-id></patcit>
            <category>cited by examiner</category></citation>
            <citation><nplcit num="00002"><othercit>A book</othercit></nplcit></citation>
            <citation><patcit num="00003"><document-id><country>DE</country>
            <doc-number>29 00 001</doc-number></document-id></patcit></citation>
            </references-cited>
            <parties><applicants>
            <applicant sequence="001" app-type="applicant-inventor" designation="us-only">
            <addressbook><last-name>Doe</last-name><first-name>Jo Ann</first-name></addressbook>
            </applicant>
            <applicant sequence="002" app-type="applicant-inventor" designation="us-only">
            <addressbook><last-name>Roe</last-name><first-name>Ray</first-name></addressbook>
            </applicant>
            </applicants></parties>
            <assignees><assignee><addressbook><orgname>Pots Ltd.</orgname><role>02</role>
            </addressbook></assignee></assignees>
            </us-bibliographic-data-grant>
            <abstract id="abstract"><p id="p-0001" num="0000">A lid that fits.</p></abstract>
            </us-patent-grant>
            """
                .formatted(version, iceReferences("07000001", "B2")));

    assertThat(read).isEqualTo(LID);
  }

  /** From ICE 4.3 on: parties and citations of the US office's own. */
  @ParameterizedTest
  @ValueSource(strings = {"v4.3 2012-12-04", "v4.4 2013-05-16", "v4.5 2014-04-03"})
  void aGrantFromIce43OnIsRead(String version) throws Exception {
    PatentRecord read =
        read(
            """
            <us-patent-grant lang="EN" dtd-version="%s" country="US">
            <us-bibliographic-data-grant>
            %s
            <invention-title id="d2e53">Lid &amp; pot</invention-title>
            <us-references-cited>
            <us-citation><patcit num="00001"><document-id><country>US</country>
            <doc-number>4123456</doc-number><kind>A</kind></document-id></patcit></us-citation>
            <us-citation><nplcit num="00002"><othercit>A book</othercit></nplcit></us-citation>
            <us-citation><patcit num="00003"><document-id><country>DE</country>
            <doc-number>2900001</doc-number></document-id></patcit></us-citation>
            </us-references-cited>
            <us-parties><us-applicants>
            <us-applicant sequence="001" app-type="applicant" designation="us-only">
            <addressbook><orgname>Pots Ltd.</orgname></addressbook></us-applicant>
            </us-applicants>
            %s</us-parties>
            </us-bibliographic-data-grant>
            <abstract id="abstract"><p>A lid that fits.</p></abstract>
            </us-patent-grant>
            """
                .formatted(version, iceReferences("07000001", "B2"), INVENTORS));

    assertThat(read).isEqualTo(LID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v4.0 2004-12-02", "v4.1 2005-08-25", "v4.2 2006-08-23"})
  void anApplicationUpToIce42IsRead(String version) throws Exception {
    PatentRecord read =
        read(
            """
            <us-patent-application lang="EN" dtd-version="%s" country="US">
            <us-bibliographic-data-application lang="EN" country="US">
            %s
            <invention-title id="d0e43">Lid &amp; pot</invention-title>
            <parties><applicants>
            <applicant sequence="00" app-type="applicant-inventor" designation="us-only">
            <addressbook><last-name>Doe</last-name><first-name>Jo</first-name></addressbook>
            </applicant></applicants></parties>
            <assignees><assignee><orgname>Pots Ltd.</orgname></assignee></assignees>
            </us-bibliographic-data-application>
            <abstract><p>A lid.</p></abstract></us-patent-application>
            """
                .formatted(version, iceReferences("20060000001", "A1")));

    assertThat(read.documentNumber()).isEqualTo("US20060000001A1");
    assertThat(read.inventors()).containsExactly("Doe, Jo");
    assertThat(read.applicants()).containsExactly("Pots Ltd.");
    assertThat(read.abstractText()).isEqualTo("A lid.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v4.3 2012-12-04", "v4.4 2014-04-03", "v4.5 2021-08-30"})
  void anApplicationFromIce43OnIsRead(String version) throws Exception {
    PatentRecord read =
        read(
            """
            <us-patent-application lang="EN" dtd-version="%s" country="US">
            <us-bibliographic-data-application lang="EN" country="US">
            %s
            <invention-title id="d2e43">Lid &amp; pot</invention-title>
            <us-parties><us-applicants>
            <us-applicant sequence="00" app-type="applicant" designation="us-only">
            <addressbook><orgname>Pots Ltd.</orgname></addressbook></us-applicant>
            <us-applicant sequence="01" app-type="applicant" designation="us-only">
            <addressbook><last-name>Roe</last-name><first-name>Ray</first-name></addressbook>
            </us-applicant>
            </us-applicants>
            %s</us-parties>
            </us-bibliographic-data-application>
            <abstract><p>A lid.</p></abstract></us-patent-application>
            """
                .formatted(version, iceReferences("20160000001", "A1"), INVENTORS));

    assertThat(read.documentNumber()).isEqualTo("US20160000001A1");
    assertThat(read.inventors()).containsExactly("Doe, Jo Ann", "Roe, Ray");
    assertThat(read.applicants()).containsExactly("Pots Ltd.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.3", "2.4", "2.5"})
  void aGrantInPatdocIsRead(String version) throws Exception {
    PatentRecord read =
        read(
            """
            <PATDOC DTD="%s" STATUS="Build 20020101"><SDOBI>
            <B100><B110><DNUM><PDAT>07000001</PDAT></DNUM></B110><B130><PDAT>B2</PDAT></B130>
            <B140><DATE><PDAT>20060214</PDAT></DATE></B140><B190><PDAT>US</PDAT></B190></B100>
            <B200><B210><DNUM><PDAT>10123456</PDAT></DNUM></B210>
            <B220><DATE><PDAT>20040105</PDAT></DATE></B220></B200>
            <B500><B510><B511><PDAT>A47J 3606</PDAT></B511><B512><PDAT>B65D 4302</PDAT></B512>
            <B516><PDAT>7</PDAT></B516></B510>
            <B540><STEXT><PDAT>Lid &amp; pot</PDAT></STEXT></B540>
            <B560><B561><PCIT><DOC><DNUM><PDAT>4123456</PDAT></DNUM><KIND><PDAT>A</PDAT></KIND>
            </DOC></PCIT></B561><B561><PCIT><DOC><DNUM><PDAT>2900001</PDAT></DNUM>
            <CTRY><PDAT>DE</PDAT></CTRY></DOC></PCIT></B561></B560></B500>
            <B700><B720><B721><PARTY-US><NAM><FNM><PDAT>Jo Ann</PDAT></FNM>
            <SNM><STEXT><PDAT>Doe</PDAT></STEXT></SNM></NAM></PARTY-US></B721>
            <B721><PARTY-US><NAM><FNM><PDAT>Ray</PDAT></FNM>
            <SNM><STEXT><PDAT>Roe</PDAT></STEXT></SNM></NAM></PARTY-US></B721></B720>
            <B730><B731><PARTY-US><NAM><ONM><STEXT><PDAT>Pots Ltd.</PDAT></STEXT></ONM></NAM>
            </PARTY-US></B731></B730></B700>
            </SDOBI><SDOAB><BTEXT><PARA><PTEXT><PDAT>A lid that fits.</PDAT></PTEXT></PARA>
            </BTEXT></SDOAB></PATDOC>
            """
                .formatted(version));

    assertThat(read).isEqualTo(LID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pap-v15-2001-01-31.dtd", "pap-v16-2002-01-01.dtd"})
  void anApplicationInPapIsRead(String dtd) throws Exception {
    PatentRecord read =
        read(
            """
            <!DOCTYPE patent-application-publication SYSTEM "%s" []>
            <patent-application-publication><subdoc-bibliographic-information>
            <document-id><doc-number>20020000001</doc-number><kind-code>A1</kind-code>
            <document-date>20020103</document-date></document-id>
            <domestic-filing-data><application-number><doc-number>09999999</doc-number>
            </application-number><filing-date>20010105</filing-date></domestic-filing-data>
            <technical-information><classification-ipc><classification-ipc-primary>
            <ipc>A47J036/06</ipc></classification-ipc-primary></classification-ipc>
            <title-of-invention>Lid &amp; pot</title-of-invention></technical-information>
            <inventors><first-named-inventor><name><given-name>Jo</given-name>
            <middle-name>Ann</middle-name><family-name>Doe</family-name></name>
            </first-named-inventor></inventors>
            <assignee><organization-name>Pots Ltd.</organization-name></assignee>
            </subdoc-bibliographic-information>
            <subdoc-abstract><paragraph id="A-1">A lid that fits.</paragraph></subdoc-abstract>
            </patent-application-publication>
            """
                .formatted(dtd));

    assertThat(read.documentNumber()).isEqualTo("US20020000001A1");
    assertThat(read.isoPublicationDate()).isEqualTo("2002-01-03");
    assertThat(read.isoFilingDate()).isEqualTo("2001-01-05");
    assertThat(read.title()).isEqualTo("Lid & pot");
    assertThat(read.inventors()).containsExactly("Doe, Jo Ann");
    assertThat(read.applicants()).containsExactly("Pots Ltd.");
    assertThat(read.classifications()).containsExactly("A47J36/06");
    assertThat(read.abstractText()).isEqualTo("A lid that fits.");
  }

  /** ST.36 as the International Bureau and others write it, with the national names above it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "wo-published-application/wo-bibliographic-data",
        "wo-patent-document/bibliographic-data",
        "ep-patent-document/ep-bibliographic-data",
        "xx-patent-document/bibliographic-data"
      })
  void anInternationalApplicationInSt36IsRead(String elements) throws Exception {
    String[] names = elements.split("/");
    PatentRecord read =
        read(
            """
            <%1$s lang="fr"><%2$s>
            <publication-reference><document-id><country>WO</country>
            <doc-number>2009/000001</doc-number><kind>A1</kind><date>20090102</date>
            </document-id></publication-reference>
            <classifications-ipcr><classification-ipcr sequence="1"><section>A</section>
            <class>47</class><subclass>J</subclass><main-group>36</main-group>
            <subgroup>06</subgroup></classification-ipcr>
            <classification-ipcr><text>B65D  43/02        (2006.01)</text></classification-ipcr>
            </classifications-ipcr>
            <application-reference appl-type="international"><document-id><country>EP</country>
            <doc-number>EP2008/000001</doc-number><date>20080301</date></document-id>
            </application-reference>
            <invention-title lang="fr">Couvercle</invention-title>
            <parties><applicants><applicant app-type="applicant" sequence="1"><addressbook>
            <name>POTS LTD.</name></addressbook></applicant>
            <applicant app-type="applicant-inventor"><addressbook><name>DOE, Jo</name>
            </addressbook></applicant></applicants></parties>
            </%2$s><abstract lang="fr"><p>Un couvercle.</p></abstract></%1$s>
            """
                .formatted(names[0], names[1]));

    assertThat(read)
        .isEqualTo(
            new PatentRecord(
                "WO",
                "2009000001",
                "A1",
                "20090102",
                "EP2008/000001",
                "20080301",
                "fr",
                "Couvercle",
                "Un couvercle.",
                List.of("DOE, Jo"),
                List.of("POTS LTD."),
                List.of("A47J36/06", "B65D43/02"),
                List.of()));
  }

  /** As the European office publishes it: INID codes around, ST.36 for classes and text. */
  @Test
  void aEuropeanDocumentOfInidCodesHasItsTitlesInThreeLanguages() throws Exception {
    PatentRecord read = read(european("fr"));

    assertThat(read)
        .isEqualTo(
            new PatentRecord(
                "EP",
                "9000001",
                "A1",
                "20250129",
                "23999999.5",
                "20231029",
                "fr",
                "COUVERCLE & CASSEROLE",
                "A lid that fits.",
                List.of("DOE, Jo", "ROE, Ray"),
                List.of("Pots GmbH"),
                List.of("A47J36/06", "B65D43/02"),
                List.of()));
    assertThat(read(european("en")).title()).isEqualTo("LID & POT");
    assertThat(read(european("de")).title()).isEqualTo("DECKEL & TOPF");
    assertThat(read(european("nl")).title())
        .as("none in the document's language: the first")
        .isEqualTo("DECKEL & TOPF");
  }

  /** A granted one has no abstract. */
  @Test
  void aEuropeanPatentHasItsClaimForAnAbstract() throws Exception {
    String granted =
        european("en")
            .replaceAll(
                "(?s)<abstract.*</abstract>",
                "<claims id='c1' lang='en'><claim num='0001'><claim-text>1. A lid.</claim-text>"
                    + "</claim></claims><claims lang='de'><claim>1. Ein Deckel.</claim></claims>");

    assertThat(read(granted).abstractText()).isEqualTo("1. A lid.");
  }

  /**
   * ST.32 of 1995 as it stands, in XML: names in capitals, classes with their edition or without.
   */
  @Test
  void aEuropeanDocumentInSt32IsRead() throws Exception {
    PatentRecord read =
        read(
            """
            <PATDOC CY="EP" DNUM="0900001" KIND="A1"><SDOBI>
            <B100><B110>0900001</B110><B130>A1</B130><B140><DATE>19990310</DATE></B140>
            <B190>EP</B190></B100>
            <B200><B210>98999999.1</B210><B220><DATE>19980901</DATE></B220></B200>
            <B500><B510><B511> 6A 47J  36/06   A</B511><B512>B65D 43/02</B512></B510>
            <B540><B541>DE</B541><B542>Deckel</B542><B541>EN</B541><B542>Lid</B542></B540>
            </B500>
            <B700><B710><B711><NAM><ONM>Pots GmbH</ONM></NAM><ADR><CTRY>DE</CTRY></ADR></B711>
            </B710><B720><B721><NAM><FNM>Jo</FNM><SNM>Doe</SNM></NAM></B721></B720></B700>
            </SDOBI><SDOAB LA="EN"><P>A lid that fits.</P></SDOAB></PATDOC>
            """);

    assertThat(read.documentNumber()).isEqualTo("EP0900001A1");
    assertThat(read.isoFilingDate()).isEqualTo("1998-09-01");
    assertThat(read.title()).isEqualTo("Lid");
    assertThat(read.abstractText()).isEqualTo("A lid that fits.");
    assertThat(read.inventors()).containsExactly("Doe, Jo");
    assertThat(read.applicants()).containsExactly("Pots GmbH");
    assertThat(read.classifications()).containsExactly("A47J36/06", "B65D43/02");
  }

  /** Names in parts: given, middle and family name, and what stands behind. */
  @Test
  void middleNamesAndSuffixesAreKept() throws Exception {
    String parts =
        "<last-name>Doe</last-name><first-name>Jo</first-name><middle-name>A.</middle-name>"
            + "<suffix>Jr.</suffix>";

    PatentRecord read =
        read(
            """
            <us-patent-application lang="EN"><us-bibliographic-data-application>
            %s
            <invention-title>Lid</invention-title>
            <parties><applicants><applicant app-type="applicant-inventor"><addressbook>%s
            </addressbook></applicant></applicants></parties>
            </us-bibliographic-data-application></us-patent-application>
            """
                .formatted(iceReferences("20040000001", "A1"), parts));

    assertThat(read.inventors()).containsExactly("Doe, Jo A., Jr.");
  }

  /** One answer of OPS: several formats of each number and name, several languages. */
  @ParameterizedTest
  @ValueSource(strings = {"docdb epodoc", "epodoc docdb"})
  void anAnswerOfOpsIsRead(String order) throws Exception {
    String epodoc =
        "<document-id document-id-type='epodoc'><doc-number>EP1000001</doc-number></document-id>";
    String docdb =
        "<document-id document-id-type='docdb'><country>EP</country><doc-number>1000001"
            + "</doc-number><kind>A1</kind><date>20000517</date></document-id>";
    PatentRecord read =
        read(
            """
            <ops:world-patent-data xmlns:ops="http://ops.epo.org"
             xmlns="http://www.epo.org/exchange"><ops:meta name="elapsed-time" value="3"/>
            <exchange-documents><exchange-document system="ops.epo.org" family-id="1"
             country="EP" doc-number="1000001" kind="A1"><bibliographic-data>
            <publication-reference>%s</publication-reference>
            <classification-ipc><text>A47J36/06</text></classification-ipc>
            <classifications-ipcr><classification-ipcr sequence="1">
            <text>A47J  36/   06            A I                    </text></classification-ipcr>
            <classification-ipcr sequence="2"><text>B65D  43/   02            A I  </text>
            </classification-ipcr></classifications-ipcr>
            <application-reference doc-id="2"><document-id document-id-type="docdb">
            <country>EP</country><doc-number>99200001</doc-number><kind>A</kind></document-id>
            <document-id document-id-type="epodoc"><doc-number>EP19990200001</doc-number>
            <date>19991108</date></document-id></application-reference>
            <parties><applicants><applicant sequence="1" data-format="epodoc"><applicant-name>
            <name>POTS BV [NL]</name></applicant-name></applicant>
            <applicant sequence="1" data-format="original"><applicant-name><name>Pots B.V.,</name>
            </applicant-name></applicant></applicants>
            <inventors><inventor sequence="1" data-format="epodoc"><inventor-name>
            <name>DOE JO [NL]</name></inventor-name></inventor>
            <inventor sequence="1" data-format="original"><inventor-name><name>ROE, Ray,</name>
            </inventor-name></inventor>
            <inventor sequence="2" data-format="original"><inventor-name><name>DOE, Jo</name>
            </inventor-name></inventor></inventors></parties>
            <invention-title lang="de">Deckel</invention-title>
            <invention-title lang="en">Lid</invention-title>
            <references-cited><citation cited-phase="SEA" sequence="1"><patcit num="1">
            <document-id document-id-type="epodoc"><doc-number>US4123456</doc-number></document-id>
            <document-id document-id-type="docdb"><country>US</country>
            <doc-number>4123456</doc-number><kind>A</kind></document-id></patcit></citation>
            <citation><patcit><document-id><doc-number>DE2900001</doc-number></document-id>
            </patcit></citation></references-cited>
            </bibliographic-data>
            <abstract lang="de"><p>Ein Deckel.</p></abstract>
            <abstract lang="en"><p>A lid.</p></abstract>
            </exchange-document></exchange-documents></ops:world-patent-data>
            """
                .formatted(order.startsWith("docdb") ? docdb + epodoc : epodoc + docdb));

    assertThat(read)
        .isEqualTo(
            new PatentRecord(
                "EP",
                "1000001",
                "A1",
                "20000517",
                "99200001",
                "19991108",
                "en",
                "Lid",
                "A lid.",
                List.of("ROE, Ray", "DOE, Jo"),
                List.of("POTS BV"),
                List.of("A47J36/06", "B65D43/02"),
                List.of(
                    new PatentRecord.Citation("US", "4123456", "A"),
                    new PatentRecord.Citation("DE", "2900001", ""))));
  }

  /** A file of DOCDB: names within its own namespace, one format of a number a reference. */
  @Test
  void aDocumentOfDocdbIsReadInItsLanguage() throws Exception {
    PatentRecord read =
        read(
            """
            <exch:exchange-documents xmlns:exch="http://www.epo.org/exchange">
            <exch:exchange-document country="EP" doc-number="1000001" kind="A1"
             date-publ="20000517" status="C"><exch:bibliographic-data>
            <exch:publication-reference data-format="epodoc"><document-id>
            <doc-number>EP1000001</doc-number></document-id></exch:publication-reference>
            <exch:classification-ipc><main-classification>A47J36/06</main-classification>
            </exch:classification-ipc>
            <exch:application-reference data-format="docdb"><document-id><country>EP</country>
            <doc-number>99200001</doc-number><date>19991108</date></document-id>
            </exch:application-reference>
            <exch:language-of-publication>DE</exch:language-of-publication>
            <exch:parties><exch:applicants><exch:applicant sequence="1" data-format="docdb">
            <exch:applicant-name><name>POTS BV</name></exch:applicant-name><residence>
            <country>NL</country></residence></exch:applicant></exch:applicants>
            <exch:inventors><exch:inventor sequence="1" data-format="docdb"><exch:inventor-name>
            <name>DOE JO</name></exch:inventor-name></exch:inventor></exch:inventors>
            </exch:parties>
            <exch:invention-title lang="en" data-format="docdba">Lid</exch:invention-title>
            <exch:invention-title lang="de" data-format="docdba">Deckel</exch:invention-title>
            </exch:bibliographic-data>
            <exch:abstract lang="en"><exch:p>A lid.</exch:p></exch:abstract>
            <exch:abstract lang="de"><exch:p>Ein Deckel.</exch:p></exch:abstract>
            </exch:exchange-document></exch:exchange-documents>
            """);

    assertThat(read)
        .isEqualTo(
            new PatentRecord(
                "EP",
                "1000001",
                "A1",
                "20000517",
                "99200001",
                "19991108",
                "de",
                "Deckel",
                "Ein Deckel.",
                List.of("DOE JO"),
                List.of("POTS BV"),
                List.of("A47J36/06"),
                List.of()));
  }

  /** Where no language is stated, that of the title is the record's. */
  @Test
  void aSingleTitleDeterminesTheLanguage() throws Exception {
    PatentRecord read =
        read(
            """
            <exchange-document country="FR" doc-number="2000001" kind="B1"><bibliographic-data>
            <invention-title lang="fr">Couvercle</invention-title></bibliographic-data>
            </exchange-document>
            """);

    assertThat(read.documentNumber()).isEqualTo("FR2000001B1");
    assertThat(read.language()).isEqualTo("fr");
  }

  /** The kind in the document is a description there; the code is at the root. */
  @ParameterizedTest
  @ValueSource(strings = {"kind-of-st16=\"A1\"", ""})
  void aDocumentOfTheJapaneseOfficeIsRead(String kind) throws Exception {
    PatentRecord read =
        read(
            """
            <jp-official-gazette kind-of-jp="A" %s lang="ja" country="JP"
             xmlns:jp="http://www.jpo.go.jp"><bibliographic-data lang="ja" country="JP">
            <publication-reference><document-id><country>JP</country>
            <doc-number>2012000001</doc-number>
            <kind>\u516c\u958b\u7279\u8a31\u516c\u5831(A)</kind><date>20120105</date>
            </document-id></publication-reference>
            <application-reference><document-id><doc-number>2010100001</doc-number>
            <date>20100601</date></document-id></application-reference>
            <invention-title>\u84cb</invention-title>
            <classification-ipc><main-classification>A47J  36/06     (2006.01)
            </main-classification></classification-ipc>
            <parties><jp:applicants-agents-article><jp:applicants-agents sequence="1">
            <applicant sequence="1"><addressbook lang="ja"><name>\u934b\u793e</name></addressbook>
            </applicant></jp:applicants-agents></jp:applicants-agents-article>
            <inventors><inventor sequence="1"><addressbook lang="ja"><name>\u592a\u90ce</name>
            </addressbook></inventor></inventors></parties></bibliographic-data>
            <description><p>x</p></description><claims><claim num="1">\u84cb\u3002</claim></claims>
            <abstract><p>\u84cb\u3060\u3002</p></abstract></jp-official-gazette>
            """
                .formatted(kind));

    assertThat(read)
        .isEqualTo(
            new PatentRecord(
                "JP",
                "2012000001",
                kind.isEmpty() ? "" : "A1",
                "20120105",
                "2010100001",
                "20100601",
                "ja",
                "\u84cb",
                "\u84cb\u3002",
                List.of("\u592a\u90ce"),
                List.of("\u934b\u793e"),
                List.of("A47J36/06"),
                List.of()));
  }

  /** European documents name what they cite in text. */
  @ParameterizedTest
  @CsvSource({
    "EP-A1- 0 123 456, EP, 0123456, A1",
    "WO-A-98/12345, WO, 9812345, A",
    "JP-A- H08 123 456, JP, H08123456, A",
    "US-B1- 6 123 456, US, 6123456, B1",
    "US 2004/0123456 A1, US, 20040123456, A1",
    "DE-U1-202 005 012 345 (X), DE, 202005012345, U1",
    "GB 2 123 456, GB, 2123456, ''"
  })
  void whatAEuropeanGrantCitesIsRead(String text, String authority, String number, String kind)
      throws Exception {
    String cited =
        "<B560><B561><text>"
            + text
            + "</text></B561><B561><text>PATENT ABSTRACTS OF JAPAN 12</text></B561>"
            + "<B562><text>A book of 1990</text></B562></B560></B500>";

    assertThat(read(european("en").replace("</B500>", cited)).citations())
        .containsExactly(new PatentRecord.Citation(authority, number, kind));
  }

  /** Formats that are known and not read. */
  @ParameterizedTest
  @CsvSource({
    "<d xmlns='info:fedora/fedora-system:def/foxml#'><bibliographic-data/></d>, is FOXML",
    "<p:UnexaminedPatentPublication xmlns:p='urn:jp'/>, WIPO ST.96",
    "<x xmlns='http://www.wipo.int/standards/XMLSchema/ST96/Patent'/>, WIPO ST.96",
    "<r><register-document><bibliographic-data/></register-document></r>, European Patent Register"
  })
  void aFormatThatIsNotReadIsNamed(String document, String name) {
    assertThatThrownBy(() -> read(document))
        .isInstanceOf(PatentXmlReader.NotAPatentException.class)
        .hasMessageContaining(name);
  }

  /** One of several documents is not mistaken for all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "exchange-documents/exchange-document/bibliographic-data",
        "batch/us-patent-grant/us-bibliographic-data-grant",
        "batch/us-patent-application/us-bibliographic-data-application",
        "batch/PATDOC/SDOBI",
        "batch/patent-application-publication/subdoc-bibliographic-information",
        "batch/ep-patent-document/SDOBI"
      })
  void severalDocumentsBelowOneRootAreRefused(String elements) {
    String[] names = elements.split("/");
    String full =
        "<%1$s>%2$s</%1$s>"
            .formatted(
                names[1],
                """
                <%1$s><publication-reference><document-id><country>XY</country>
                <doc-number>1</doc-number></document-id></publication-reference>
                <invention-title>Lid</invention-title><B100><B110>1</B110></B100>
                <B500><B540><B542>Lid</B542></B540></B500>
                <document-id><doc-number>1</doc-number></document-id><technical-information>
                <title-of-invention>Lid</title-of-invention></technical-information></%1$s>
                """
                    .formatted(names[2]));
    String empty = "<" + names[1] + " status='not found'/>";
    String withAbstract = full.replace("</" + names[1], "<abstract>A</abstract></" + names[1]);

    for (String documents :
        new String[] {
          full + full,
          full + empty,
          empty + full,
          withAbstract + full,
          withAbstract + "<other>" + full + "</other>",
          "<other>" + empty + "</other>" + full
        }) {
      assertThatThrownBy(() -> read("<batch>" + documents + "</batch>"))
          .as(documents)
          .isInstanceOf(PatentXmlReader.NotAPatentException.class)
          .hasMessageStartingWith("holds several documents, split the file: ");
    }
  }

  private static final String INVENTORS =
      """
      <inventors>
      <inventor sequence="001" designation="us-only"><addressbook><last-name>Doe</last-name>
      <first-name>Jo Ann</first-name></addressbook></inventor>
      <inventor sequence="002" designation="us-only"><addressbook><last-name>Roe</last-name>
      <first-name>Ray</first-name></addressbook></inventor>
      </inventors>
      """;

  private static String iceReferences(String number, String kind) {
    return """
    <publication-reference><document-id><country>US</country><doc-number>%s</doc-number>
    <kind>%s</kind><date>20060214</date></document-id></publication-reference>
    <application-reference appl-type="utility"><document-id><country>US</country>
    <doc-number>10123456</doc-number><date>20040105</date></document-id></application-reference>
    <classifications-ipcr><classification-ipcr>
    <ipc-version-indicator><date>20060101</date></ipc-version-indicator>
    <classification-level>A</classification-level><section>A</section><class>47</class>
    <subclass>J</subclass><main-group>36</main-group><subgroup>06</subgroup>
    <symbol-position>F</symbol-position></classification-ipcr>
    <classification-ipcr><section>B</section><class>65</class><subclass>D</subclass>
    <main-group>43</main-group><subgroup>02</subgroup></classification-ipcr>
    </classifications-ipcr>
    """
        .formatted(number, kind);
  }

  private static String european(String language) {
    return """
    <ep-patent-document id="EP23999999A1" lang="%1$s" country="EP" doc-number="9000001" kind="A1"
     date-publ="20250129" dtd-version="ep-patent-document-v1-7">
    <SDOBI lang="%1$s"><B000><eptags><B001EP>ATBECHDEDK</B001EP></eptags></B000>
    <B100><B110>9000001</B110><B120><B121>EUROPEAN PATENT APPLICATION</B121></B120>
    <B130>A1</B130><B140><date>20250129</date></B140><B190>EP</B190></B100>
    <B200><B210>23999999.5</B210><B220><date>20231029</date></B220><B260>en</B260></B200>
    <B400><B430><date>20250129</date><bnum>202505</bnum></B430></B400>
    <B500><B510EP><classification-ipcr sequence="1">
    <text>A47J  36/06        20060101AFI20240805BHEP        </text></classification-ipcr>
    <classification-ipcr sequence="2">
    <text>B65D  43/02        20060101ALI20240805BHEP        </text></classification-ipcr></B510EP>
    <B540><B541>de</B541><B542>DECKEL &amp; TOPF</B542><B541>en</B541><B542>LID &amp; POT</B542>
    <B541>fr</B541><B542>COUVERCLE &amp; CASSEROLE</B542></B540></B500>
    <B700><B710><B711><snm>Pots GmbH</snm><iid>100000001</iid><irf>P1</irf><adr><str>1 Weg</str>
    <city>12345 Ort</city><ctry>DE</ctry></adr></B711></B710>
    <B720><B721><snm>DOE, Jo</snm><adr><city>Ort</city><ctry>DE</ctry></adr></B721>
    <B721><snm>ROE, Ray</snm><adr><city>Ort</city><ctry>DE</ctry></adr></B721></B720>
    <B740><B741><snm>Agents LLP</snm></B741></B740></B700>
    <B800><B840><ctry>AT</ctry></B840></B800></SDOBI>
    <abstract id="abst" lang="en"><p id="pa01" num="0001">A lid that fits.</p></abstract>
    <description id="desc" lang="en"><p id="p0001" num="0001">Lids are known.</p></description>
    </ep-patent-document>
    """
        .formatted(language);
  }

  private static PatentRecord read(String document) throws Exception {
    return PatentXmlReader.readToTheEnd(
        new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)));
  }
}
