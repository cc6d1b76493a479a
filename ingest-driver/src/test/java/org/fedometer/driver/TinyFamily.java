package org.fedometer.driver;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Relationship;

/** Its first object leads: each of the others adds to it that it has that part. */
public final class TinyFamily extends TinyDataset {

  @Override
  public long leadingObjects() {
    return 1;
  }

  @Override
  public List<AddedStatement> additions(long index) {
    return index == 0
        ? List.of()
        : List.of(
            new AddedStatement(
                "tiny:0",
                new Relationship("info:example/hasPart", "info:fedora/tiny:" + index, false)));
  }

  @Override
  public ComposedObject finished(long index, long first, long count) {
    ComposedObject whole = object(index);
    List<Relationship> relationships = new ArrayList<>(whole.relationships());
    for (long child = 1; index == 0 && child < first + count; child++) {
      relationships.add(additions(child).get(0).statement());
    }
    return new ComposedObject(
        whole.pid(), whole.label(), whole.content(), whole.dublinCore(), relationships);
  }

  @Override
  public long size() {
    return 1_000;
  }
}
