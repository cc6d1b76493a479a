package fedora.server.validation;

import java.io.File;

public class DOValidatorImpl {
  public void validate(File objectAsFile, String format, int validationType, String phase) {
    validateXMLSchema(objectAsFile, "schema");
    validateByRules(objectAsFile, "rules", "preprocessor", phase);
  }

  private void validateXMLSchema(File objectAsFile, String xmlSchemaPath) {}

  private void validateByRules(File objectAsFile, String rules, String preprocessor, String phase) {}
}
