/** What the agent tells the tool that gave it a command, once or all the time. */
package org.fedometer.agent.core.control;
