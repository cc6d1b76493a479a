/** Commands on JVMs with an agent, or to attach one. */
package org.fedometer.cli.agent;
