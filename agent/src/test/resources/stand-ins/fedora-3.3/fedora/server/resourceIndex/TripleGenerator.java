package fedora.server.resourceIndex;

import java.util.Set;

public interface TripleGenerator {
  Set<String> getTriplesForObject(String reader);
}
