package org.fedometer.driver.fedora;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.RepositoryObject;

/**
 * One request of a step.
 *
 * @param method of HTTP
 * @param path below the web application, with its query
 * @param content body, or null
 * @param page true if the response is a page of a list, whose token is needed
 */
public record OperationRequest(
    Operation operation, String method, String path, ContentStream content, boolean page) {

  private static final String OAI = "/oai?verb=";
  private static final String OAI_DC = "&metadataPrefix=oai_dc";
  private static final String SEARCH = FedoraPaths.search(100);

  /** Longer terms find the same objects. */
  private static final int MAX_TERM_LENGTH = 60;

  private static OperationRequest get(Operation operation, String path) {
    return new OperationRequest(operation, "GET", path, null, false);
  }

  private static OperationRequest page(Operation operation, String path) {
    return new OperationRequest(operation, "GET", path, null, true);
  }

  /**
   * Gets an object's profile, in XML.
   *
   * @throws IllegalArgumentException if Fedora could have no object of that PID
   */
  public static OperationRequest object(String pid) {
    return get(Operation.GET_OBJECT, FedoraPaths.object(pid) + "?format=xml");
  }

  public static OperationRequest datastream(String pid, String id) {
    return get(Operation.GET_DATASTREAM, FedoraPaths.content(pid, id));
  }

  /**
   * @throws IllegalArgumentException as {@link #object}
   */
  public static OperationRequest dublinCore(String pid) {
    return get(Operation.GET_DC, FedoraPaths.content(pid, "DC"));
  }

  /**
   * Searches all fields for the beginning of the object's title; Fedora's database scans all
   * objects.
   */
  public static OperationRequest search(RepositoryObject object) {
    StringBuilder term = new StringBuilder("*");
    object
        .label()
        .toLowerCase(Locale.ROOT)
        .codePoints()
        .limit(MAX_TERM_LENGTH)
        .forEach(c -> term.appendCodePoint(isPlain(c) ? c : '?'));
    return page(
        Operation.FIND_OBJECTS,
        SEARCH + "&terms=" + FedoraPaths.encode(term.append('*').toString()));
  }

  /** Returns whether a character is special neither to the database nor to Fedora. */
  private static boolean isPlain(int c) {
    return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == ' ';
  }

  /**
   * Searches for objects created since a time; Fedora offers no sorted search for the newest.
   *
   * @param since by Fedora's clock
   */
  public static OperationRequest newest(Instant since) {
    return page(
        Operation.FIND_NEWEST,
        SEARCH
            + "&cDate=true&query="
            + FedoraPaths.encode("cDate>=" + since.truncatedTo(ChronoUnit.MILLIS)));
  }

  public static OperationRequest nextPage(Operation operation, String token) {
    return page(operation, SEARCH + "&sessionToken=" + FedoraPaths.encode(token));
  }

  /**
   * Gets all triples about one object in SPO, the only language that every triplestore supports.
   */
  public static OperationRequest triples(String pid) {
    return get(
        Operation.RISEARCH, FedoraPaths.triples("N-Triples", "<info:fedora/" + pid + "> * *"));
  }

  /** Flushes; Fedora answers once its triples are written. */
  public static OperationRequest flush() {
    return get(
        Operation.FLUSH_TRIPLES, FedoraPaths.triples("count", "* * *") + "&limit=1&flush=true");
  }

  /**
   * Purges an object with all its datastreams; repeated, Fedora answers 404.
   *
   * @throws IllegalArgumentException as {@link #object}
   */
  public static OperationRequest purge(String pid) {
    return new OperationRequest(Operation.PURGE, "DELETE", FedoraPaths.object(pid), null, false);
  }

  public static OperationRequest modify(String pid, ContentStream content) {
    return new OperationRequest(
        Operation.MODIFY_DATASTREAM,
        "PUT",
        FedoraPaths.datastream(pid, content.id()),
        content,
        false);
  }

  public static OperationRequest add(String pid, ContentStream content) {
    return new OperationRequest(
        Operation.ADD_DATASTREAM,
        "POST",
        FedoraPaths.datastream(pid, content.id())
            + "?controlGroup=M&dsLabel="
            + FedoraPaths.encode(content.label()),
        content,
        false);
  }

  /** Identifies the OAI provider; the response has the domain for {@link #oaiRecord}. */
  public static OperationRequest oaiIdentify() {
    return get(Operation.OAI_IDENTIFY, OAI + "Identify");
  }

  public static OperationRequest oaiFormats() {
    return get(Operation.OAI_LIST_METADATA_FORMATS, OAI + "ListMetadataFormats");
  }

  /** Lists the sets of the OAI provider, first page only. */
  public static OperationRequest oaiSets() {
    return get(Operation.OAI_LIST_SETS, OAI + "ListSets");
  }

  /**
   * @param domain the repository's name in identifiers, from Identify
   */
  public static OperationRequest oaiRecord(String domain, String pid) {
    return get(
        Operation.OAI_GET_RECORD,
        OAI
            + "GetRecord"
            + OAI_DC
            + "&identifier="
            + FedoraPaths.encode("oai:" + domain + ":" + pid));
  }

  /**
   * @param token of the previous page, or null for the first
   */
  public static OperationRequest oaiList(Operation operation, String token) {
    String verb = operation == Operation.OAI_LIST_RECORDS ? "ListRecords" : "ListIdentifiers";
    return page(
        operation,
        OAI + verb + (token == null ? OAI_DC : "&resumptionToken=" + FedoraPaths.encode(token)));
  }

  /** Returns whether the request goes to the OAI provider, whose errors have status 200, too. */
  public boolean isOai() {
    return path.startsWith(OAI);
  }
}
