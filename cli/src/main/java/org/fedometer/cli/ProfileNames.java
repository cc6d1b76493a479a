package org.fedometer.cli;

import java.util.ArrayList;
import org.fedometer.profiles.Profiles;

/** The profiles there are, for {@code --help}. */
final class ProfileNames extends ArrayList<String> {
  private static final long serialVersionUID = 1L;

  ProfileNames() {
    super(Profiles.names());
  }
}
