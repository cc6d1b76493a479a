package fedora.server.security;

import fedora.server.Context;

public class DefaultAuthorization {
  public void enforceIngest(Context context, String pid, String format, String encoding) {}
}
