package org.fedometer.driver.study;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.UnusableDocument;
import org.fedometer.driver.object.ObjectChanges;

/**
 * The dataset that Fedora should hold after a {@link DatastreamStudy} has added datastreams to the
 * first object. Immutable.
 *
 * @param dataset as ingested
 * @param added number of datastreams added to the first object
 */
record StudiedDataset(Dataset dataset, long added) implements Dataset {

  StudiedDataset {
    Objects.requireNonNull(dataset, "dataset");
    if (added < 0) {
      throw new IllegalArgumentException("no study adds " + added + " datastreams");
    }
  }

  @Override
  public RepositoryObject finished(long index, long first, long count) {
    RepositoryObject object = dataset.finished(index, first, count);
    return index == 0 ? ObjectChanges.added(object, 0, added) : object;
  }

  @Override
  public String name() {
    return dataset.name();
  }

  @Override
  public Map<String, String> parameters() {
    return dataset.parameters();
  }

  @Override
  public RepositoryObject object(long index) {
    return dataset.object(index);
  }

  @Override
  public long size() {
    return dataset.size();
  }

  @Override
  public long leadingObjects() {
    return dataset.leadingObjects();
  }

  @Override
  public List<AddedStatement> additions(long index) {
    return dataset.additions(index);
  }

  @Override
  public Set<String> pidNamespaces() {
    return dataset.pidNamespaces();
  }

  @Override
  public Map<String, String> study() {
    return dataset.study();
  }

  @Override
  public List<UnusableDocument> skipped() {
    return dataset.skipped();
  }

  @Override
  public List<String> notes() {
    return dataset.notes();
  }

  @Override
  public long meanObjectBytes() {
    return dataset.meanObjectBytes();
  }

  @Override
  public int maxLiteralBytes() {
    return dataset.maxLiteralBytes();
  }
}
