"""The maze robot in Python without compilation, as a baseline for the compiled rollout."""

import math

RAYS = (-90.0, -45.0, 0.0, 45.0, 90.0, 180.0)


def sense(maze, x, y, heading):
    """Return seven inputs of the controller: a bias, and six rangefinder readings divided by the range of 100."""
    inputs = [1.0]
    for ray in RAYS:
        angle = math.radians(heading + ray)
        dx, dy = 100.0 * math.cos(angle), 100.0 * math.sin(angle)
        nearest = 1.0
        for x1, y1, x2, y2 in maze:
            wall_x, wall_y = x2 - x1, y2 - y1
            parallel = dx * wall_y - dy * wall_x
            if parallel != 0.0:
                along_ray = ((x1 - x) * wall_y - (y1 - y) * wall_x) / parallel
                along_wall = ((x1 - x) * dy - (y1 - y) * dx) / parallel
                if 0.0 < along_ray < nearest and 0.0 < along_wall < 1.0:
                    nearest = along_ray
        inputs.append(nearest)
    return inputs


def radar(x, y, heading, goal):
    """Return four radar readings: 1 for the quadrant that contains the goal, 0 for the others."""
    angle = (math.degrees(math.atan2(goal[1] - y, goal[0] - x)) - heading + 45.0) % 360.0
    return [float(quarter == int(angle // 90.0)) for quarter in range(4)]


def clear(walls, x, y):
    """Return whether a robot at the given position is clear of all walls."""
    for x1, y1, x2, y2 in walls:
        wall_x, wall_y = x2 - x1, y2 - y1
        share = ((x - x1) * wall_x + (y - y1) * wall_y) / (wall_x * wall_x + wall_y * wall_y)
        share = min(max(share, 0.0), 1.0)
        if math.hypot(x - x1 - share * wall_x, y - y1 - share * wall_y) < 8.0:
            return False
    return True


def drive(controller, maze, steps, warm_up=10):
    """Return the final position of a rollout; the controller is activated `warm_up` times before the robot moves."""
    walls = maze.walls.tolist()
    (x, y), heading, goal = maze.start, maze.heading, maze.goal
    speed = turn = 0.0
    inputs = sense(walls, x, y, heading) + radar(x, y, heading, goal)
    for _ in range(warm_up):
        controller(inputs)
    for _ in range(steps):
        out_turn, out_speed = controller(inputs)
        turn = min(max(turn + out_turn - 0.5, -3.0), 3.0)
        speed = min(max(speed + out_speed - 0.5, -3.0), 3.0)
        next_x = x + speed * math.cos(math.radians(heading))
        next_y = y + speed * math.sin(math.radians(heading))
        heading = (heading + turn) % 360.0
        if clear(walls, next_x, next_y):
            x, y = next_x, next_y
        if math.hypot(x - goal[0], y - goal[1]) < 5.0:
            break
        inputs = sense(walls, x, y, heading) + radar(x, y, heading, goal)
    return x, y
