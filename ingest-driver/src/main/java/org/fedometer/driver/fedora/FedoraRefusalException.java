package org.fedometer.driver.fedora;

import java.io.IOException;
import java.net.URI;

/** Thrown if Fedora answered a query with an error. */
public final class FedoraRefusalException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * @param what beginning of the message, such as {@code Could not log in}
   */
  public FedoraRefusalException(String what, FedoraResponse response) {
    this(what + ": Fedora answered " + response.describe(), response.status());
  }

  private FedoraRefusalException(String message, int status) {
    super(message);
    this.status = status;
  }

  /** Returns the failure for a server that is not Fedora. */
  static FedoraRefusalException noFedoraAt(URI url, FedoraResponse response) {
    return new FedoraRefusalException(
        "There is no Fedora at "
            + url
            + ": the server there has none of its pages ("
            + response.describe()
            + "). Give the address with the path of Fedora's web application, as in"
            + " http://127.0.0.1:8080/fedora.",
        response.status());
  }

  /** Returns the failure for a login page or proxy that answered a login with success. */
  static FedoraRefusalException notFedoraXmlAt(URI url, FedoraResponse response) {
    return new FedoraRefusalException(
        "There is no Fedora at "
            + url
            + ": the response to the login is not Fedora's XML. It may come from a login page"
            + " or a proxy; give Fedora's own address.",
        response.status());
  }

  public int status() {
    return status;
  }
}
