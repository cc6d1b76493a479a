package fedora.server.resourceIndex;

import java.util.Set;

public class ResourceIndexImpl {
  private final TripleGenerator generator = reader -> Set.of(reader);

  public void addObject(String reader) {
    generator.getTriplesForObject(reader);
  }
}
