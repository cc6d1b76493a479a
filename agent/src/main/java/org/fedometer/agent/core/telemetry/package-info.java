/** Telemetry of Fedora's JVM and its host, read at even intervals. */
package org.fedometer.agent.core.telemetry;
