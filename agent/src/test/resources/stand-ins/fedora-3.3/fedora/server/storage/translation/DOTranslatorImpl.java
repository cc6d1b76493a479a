package fedora.server.storage.translation;

import java.io.InputStream;
import java.io.OutputStream;

public class DOTranslatorImpl {
  public void deserialize(InputStream in, Object object, String format, String encoding, int context) {}

  public void serialize(Object object, OutputStream out, String format, String encoding, int context) {}
}
