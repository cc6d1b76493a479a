/**
 * The agent's jar as the JVM sees it: its entry point, and the class loader that isolates the agent
 * core (engine, weaver, wire) from Fedora.
 */
package org.fedometer.agent;
