package org.fedometer.store.remote;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunParts;
import org.fedometer.store.RunSummary;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;

/** One run of a collector's store. */
public final class RemoteRun implements RunView {
  private final RemoteStore store;
  private final RunSummary summary;

  RemoteRun(RemoteStore store, RunSummary summary) {
    this.store = store;
    this.summary = summary;
  }

  /** Returns the summary at the time of the run's look-up. */
  public RunSummary summary() {
    return summary;
  }

  @Override
  public String name() {
    return summary.name();
  }

  @Override
  public boolean hasDocument() throws IOException {
    return files().stream().anyMatch(file -> file.path().equals(RunFolder.DOCUMENT));
  }

  @Override
  public RunDocument document() throws IOException {
    List<String> files = paths();
    return RunParts.joined(ownDocument(files), allParts(files));
  }

  @Override
  public Map<String, RunDocument> parts() throws IOException {
    List<String> files = paths();
    return RunParts.ownParts(ownDocument(files), allParts(files));
  }

  private List<String> paths() throws IOException {
    return files().stream().map(RunFile::path).toList();
  }

  private RunDocument ownDocument(List<String> files) throws IOException {
    if (!files.contains(RunFolder.DOCUMENT)) {
      throw new IOException("The run " + name() + " has no run.json");
    }
    return read(RunFolder.DOCUMENT);
  }

  private Map<String, RunDocument> allParts(List<String> files) throws IOException {
    Map<String, RunDocument> parts = new TreeMap<>();
    for (String file : files) {
      if (RunParts.isPart(file)) {
        parts.put(file, read(file));
      }
    }
    return parts;
  }

  private RunDocument read(String file) throws IOException {
    try (InputStream json = open(file)) {
      return RunDocumentJson.read(json);
    } catch (IOException e) {
      throw new IOException(
          "The file " + file + " of the run " + name() + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public Query query() {
    return new RemoteQuery(store, name());
  }

  @Override
  public List<RunFile> files() throws IOException {
    try (InputStream response = store.send(RemoteStore.request("files").put("run", name()))) {
      List<RunFile> files = store.list(response, new TypeReference<List<RunFile>>() {});
      for (RunFile file : files) {
        if (file.path() == null || file.sizeBytes() < 0) {
          throw new IOException(
              "The collector at %s lists an invalid file: %s".formatted(store.location(), file));
        }
      }
      return files;
    }
  }

  @Override
  public InputStream open(String path) throws IOException {
    return new RemoteFile(store, name(), path);
  }
}
