package org.fedometer.cli;

/** Entry point of the {@code fedometer} command. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.out.println("fedometer");
  }
}
