package fedora.server;

public interface Context {}
