/**
 * The agent's jar as the JVM sees it: its entry point, and the class loader behind which the
 * agent's inside (engine, weaver, wire) is kept apart from Fedora.
 */
package org.fedometer.agent;
